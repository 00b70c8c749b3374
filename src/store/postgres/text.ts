/**
 * PostgreSQL keeps any text but one with NUL in it. Such a character, and the one that marks it, are written as two;
 * reading turns them back, so what was given comes out again.
 */
const marker = '\ue000'

export const toDatabase = (text: string): string =>
  text.includes('\0') || text.includes(marker)
    ? text.replaceAll(marker, `${marker}1`).replaceAll('\0', `${marker}0`)
    : text

export const fromDatabase = (text: string): string =>
  text.includes(marker) ? text.replaceAll(`${marker}0`, '\0').replaceAll(`${marker}1`, marker) : text
