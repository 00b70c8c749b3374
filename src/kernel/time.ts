/** Milliseconds as an ISO date, the form in which CLEO stores and prints times in JSON. */
// biome-ignore lint/style/noRestrictedGlobals: converts a given time, reads no clock
export const iso = (ms: number): string => new Date(ms).toISOString()

/** An ISO date as people read it, in UTC, to the minute. */
export const formatMinute = (isoDate: string): string => `${isoDate.slice(0, 10)} ${isoDate.slice(11, 16)}`
