/** Letters, digits, blanks and `. _ - / ~`: no character that means something in Markdown, a shell or a table. */
export const plainPath = /^[\p{L}\p{M}\p{N}._/~ -]+$/u
export const plainPathRule = 'may have only letters, digits, spaces and . _ - /, at most 120 of them'
export const mostOfPath = 120

/**
 * Returns a name or path that the project chose, for use outside a fence: all but plain characters are replaced. Unless
 * `strict`, letters of other languages and single blanks stay, which paths of honest projects have.
 */
export const reducedName = (name: string, strict: boolean): string =>
  name
    .slice(0, 500)
    .toWellFormed()
    .replaceAll(strict ? /[^A-Za-z0-9._/-]/g : /[^\p{L}\p{M}\p{N}._/~@+ -]| {2,}/gu, '_')
