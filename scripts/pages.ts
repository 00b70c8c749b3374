export const pages = (_found: unknown): Map<string, string> => new Map()
