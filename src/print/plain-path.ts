/**
 * Matches letters of most languages, digits, spaces and `. _ - / ~`. These characters are harmless in Markdown,
 * tables and shells. The pattern is also used in JSON Schema, where a pattern has no flags. The class `\p{L}` would
 * need a flag, so the letters are written as ranges.
 */
export const plainPath =
  /^[A-Za-z0-9._/~ \u00c0-\u024f\u0370-\u05ff\u0620-\u10ff\u1e00-\u1fff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3-]+$/
export const plainPathRule = 'may have only letters, digits, spaces and . _ - /, at most 120 of them'
export const mostOfPath = 120

/**
 * Makes a name or path of the project safe to print outside a fence. Replaces every character that is not plain. With
 * `strict`, only ASCII characters are plain. Without `strict`, letters of other languages and single spaces are plain
 * too, because ordinary projects use them in paths.
 */
export const reducedName = (name: string, strict: boolean): string =>
  name
    .slice(0, 500)
    .toWellFormed()
    .replaceAll(strict ? /[^A-Za-z0-9._/*-]/g : /[^\p{L}\p{M}\p{N}._/~@+ -]| {2,}/gu, '_')

/** Whether a path can be printed outside a fence, and be used in a command without quotes. */
export const isPlainWord = (path: string): boolean => /^[A-Za-z0-9._/@+][A-Za-z0-9._/@+~-]*$/.test(path)
