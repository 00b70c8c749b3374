/** PostgreSQL cannot store NUL in text, so NUL and the marker itself are each stored as two characters. */
const marker = '\ue000'

export const escapeNul = (text: string): string =>
  text.includes('\0') || text.includes(marker)
    ? text.replaceAll(marker, `${marker}1`).replaceAll('\0', `${marker}0`)
    : text

export const unescapeNul = (text: string): string =>
  text.includes(marker) ? text.replaceAll(`${marker}0`, '\0').replaceAll(`${marker}1`, marker) : text
