const unit = '(?:minutes?|mins?|hours?|hrs?|days?|weeks?|months?|sprints?|person-?days?|man-?days?)'
const amount = String.raw`(?:~\s*)?(?:\d+(?:[.,]\d+)?(?:\s*(?:-|–|to)\s*\d+)?|an?|one|two|three|four|five|six|half an?|a few|a couple of|several)\s*-?\s*${unit}`
const makePromises = () => [
  new RegExp(
    String.raw`\b(?:take[sn]?|taking|took|needs?|require[sd]?|costs?|spend|estimated?(?: at| as)?|estimates?:?|eta:?|effort:?|budget(?:ed)?(?: for| of)?)\s+(?:me |us |you |about |around |roughly |approximately |at least |at most |up to |only |just |maybe |probably |of |is )*${amount}\b(?!\s+(?:timeout|ttl|cache|window|interval|lifetime|retention|expiry|delay))`,
    'i',
  ),
  new RegExp(
    String.raw`\b${amount}(?:'s?)?\s+(?:of\s+)?(?:work|effort|job|task|project|fix|change|spike|refactoring|left|to go|to (?:do|build|implement|finish|complete|write|fix|ship|deliver))\b`,
    'i',
  ),
  new RegExp(
    String.raw`\b(?:done|finish(?:ed)?|complete[sd]?|ready|deliver(?:ed)?|ship(?:ped)?|implement(?:ed)?)\s+(?:it |this |that )?(?:with)?in\s+(?:about |around |roughly |under |less than )*${amount}\b`,
    'i',
  ),
]
const makeLimits = () =>
  /\b(?:time-?outs?|ttl|cache[ds]?|expir\w+|lifetime|retention|interval|lease|polls?|retry|retries|throttle|rate limit)\b/i

let promises: RegExp[] | undefined
let limits: RegExp | undefined

// The patterns find estimates only in texts that contain one of these words. Most texts contain none of them. For such
// a text, the patterns are not built, because building the patterns would take a tenth of a command's time.
const units = ['min', 'hour', 'hr', 'day', 'week', 'month', 'sprint']
const namesUnit = (text: string): boolean => {
  const words = text.toLowerCase()
  for (const unit of units) if (words.includes(unit)) return true
  return false
}

/**
 * Returns the words in a text that promise how long the work will take. Ignores sentences about a timeout, a cache
 * lifetime or another limit.
 */
export const findTimeEstimate = (text: string): string | undefined => {
  if (!namesUnit(text)) return undefined
  promises ??= makePromises()
  limits ??= makeLimits()
  for (const sentence of text.split(/(?<=[.!?\n])\s*/)) {
    if (sentence.length > 2000 || limits.test(sentence)) continue
    for (const promise of promises) {
      const found = promise.exec(sentence)?.[0]
      if (found) return found
    }
  }
  return undefined
}

export const timeWarning = (path: string, text: string): string[] => warning(path, findTimeEstimate(text))

/**
 * Like `timeWarning`, but for a title or a note. In these, a time at the end is also a promise: "Quick fix, 2 hours".
 */
export const shortTimeWarning = (path: string, text: string): string[] =>
  warning(path, findTimeEstimate(text) ?? lengthAtEnd(text))

const lengthAtEnd = (title: string): string | undefined => {
  if (!namesUnit(title) && !'hdw)]'.includes(title.at(-1) ?? ' ')) return undefined
  limits ??= makeLimits()
  const short = String.raw`\d+(?:[.,]\d+)?\s?[hdw]`
  const about = '(?:about|around|roughly|approx\\.?|at most|under|max\\.?|est\\.?|~)'
  const end = new RegExp(
    String.raw`(?:[,;([]|\s[-–—]|\s(?=~))\s*((?:${about}\s*)*(?:${amount}|${short})(?:\s*max\.?)?)\s*[)\]]?[.!]?$`,
    'i',
  )
  return limits.test(title) ? undefined : end.exec(title.trim())?.[1]
}

const warning = (path: string, promise: string | undefined): string[] => {
  return promise ? [`${path} promises a duration ("${promise.trim()}"); describe scope and size instead`] : []
}
