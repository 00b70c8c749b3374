export const isUpper = (code: number) => code >= 65 && code <= 90
export const isDigit = (code: number) => code >= 48 && code <= 57
export const isLetter = (code: number) => isUpper(code) || (code >= 97 && code <= 122)
