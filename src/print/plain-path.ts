/**
 * Matches letters of most languages, digits, spaces and `. _ - / ~`. These characters are harmless in Markdown, tables
 * and shells. The letters are written as ranges, because character classes would need a flag, and JSON Schema has no
 * flags.
 */
export const plainPath =
  /^[A-Za-z0-9._/~ \u00c0-\u024f\u0370-\u05ff\u0620-\u10ff\u1e00-\u1fff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3-]+$/
export const plainPathRule = 'may have only letters, digits, spaces and . _ - /, at most 120 of them'
export const mostOfPath = 120

/**
 * Replaces all but plain characters in a name or path that the project chose, so that it can be printed outside a
 * fence. Unless `strict`, letters of other languages and single spaces stay, because ordinary projects use them in
 * paths.
 */
export const reducedName = (name: string, strict: boolean): string =>
  name
    .slice(0, 500)
    .toWellFormed()
    .replaceAll(strict ? /[^A-Za-z0-9._/*-]/g : /[^\p{L}\p{M}\p{N}._/~@+ -]| {2,}/gu, '_')

/** Whether a path is safe outside a fence, and in a command without quotes. */
export const isPlainWord = (path: string): boolean => /^[A-Za-z0-9._/@+][A-Za-z0-9._/@+~-]*$/.test(path)
