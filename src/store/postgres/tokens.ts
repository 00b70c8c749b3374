/** Splits text into words as SQLite's tokenizer does: letters and digits, without case and without accents. */
export const tokens = (text: string): string[] =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []
