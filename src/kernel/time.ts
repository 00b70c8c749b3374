/** All times in JSON that CLEO writes have this form. */
// biome-ignore lint/style/noRestrictedGlobals: converts a given time, reads no clock
export const iso = (ms: number): string => new Date(ms).toISOString()

export const minutesBetween = (from: string, to: string): number =>
  Math.max(0, (milliseconds(to) - milliseconds(from)) / 60_000)

// biome-ignore lint/style/noRestrictedGlobals: converts a given time, reads no clock
const milliseconds = (isoDate: string): number => Date.parse(isoDate)

/** An ISO date as people read it, in UTC, to the minute. */
export const formatMinute = (isoDate: string): string => `${isoDate.slice(0, 10)} ${isoDate.slice(11, 16)}`

/** A number of minutes as people read it: `40 s`, `72 min`, `5 h`, `3 days`. */
export const formatMinutes = (minutes: number): string => {
  if (minutes < 1) return `${Math.round(minutes * 60)} s`
  if (minutes < 120) return `${Math.floor(minutes)} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`
}
