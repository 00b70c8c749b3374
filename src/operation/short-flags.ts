import type { Command, Flag } from './command-table.ts'

/**
 * The letters of flags that every command has. A function, so that a call without short flags does not make the
 * object.
 */
const commonLetters = () => ({ C: 'project', h: 'help', q: 'quiet', v: 'verbose' }) as const

/**
 * The letters of flags that only some commands have. A letter with a single name means the same in every command: `-p`
 * is always the priority. A letter with several names stands for the first name that is a flag of the command.
 */
const letters = () =>
  ({
    a: ['all'],
    d: ['description'],
    l: ['labels', 'label'],
    m: ['reason', 'note', 'description', 'text'],
    n: ['limit'],
    o: ['out'],
    p: ['priority'],
    s: ['status'],
    t: ['type'],
    y: ['yes'],
  }) as const

type Flags = Pick<Command, 'flags'>

/** For example, returns `--priority` for `p`. */
const longFlag = (letter: string, { flags }: Flags): string | undefined => {
  const common: Record<string, string> = commonLetters()
  if (Object.hasOwn(common, letter)) return `--${common[letter]}`
  const own: Record<string, readonly string[]> = letters()
  if (!Object.hasOwn(own, letter)) return undefined
  for (const key of own[letter]!) for (const flag of flags) if (flag.key === key) return flag.name
  return undefined
}

export const lettersOf = ({ name }: Pick<Flag, 'name'>, command: Flags): string[] =>
  Object.keys(letters()).filter((letter) => longFlag(letter, command) === name)

export const commonLetterOf = (flag: string): string | undefined =>
  Object.entries(commonLetters()).find(([, name]) => name === flag)?.[0]

export const ownLetters = (): [string, readonly string[]][] => Object.entries(letters())

/**
 * Writes short flags in full: `-n5` and `-n 5` as `--limit`, `-aq` as `--all` and `--quiet`. Returns undefined for a
 * word that is not a short flag of this command.
 */
export const expandShort = (
  word: string,
  command: Flags,
  takesValue: (name: string) => boolean,
): string[] | undefined => {
  const expanded: string[] = []
  for (let i = 1; i < word.length; i++) {
    const name = longFlag(word[i]!, command)
    if (!name) return undefined
    const rest = word.slice(i + 1)
    if (takesValue(name))
      return [...expanded, rest ? `${name}=${rest.startsWith('=') ? rest.slice(1) : rest}` : name]
    expanded.push(name)
  }
  return expanded
}
