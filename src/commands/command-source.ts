/**
 * What a detected command stands for: `npm run lint` is three words whatever the script says, so whoever changes the
 * script changes the command. The lines behind it, and behind what those call in turn.
 */
export const commandSource = (
  words: readonly string[],
  text: (file: 'package.json' | 'Makefile') => string | undefined,
): string[] => {
  const [program, ...args] = words
  const name = args.at(-1) ?? ''
  if (program === 'make') return follow([name], rulesOf(text('Makefile') ?? ''))
  if (!managers.includes(program ?? '')) return []
  return follow(withHooks(name), scriptsOf(text('package.json') ?? ''), withHooks)
}

/** A target that is a file, too, and is not said to be none: make takes the file for the result and runs nothing. */
export const isMadeAlready = (
  words: readonly string[],
  makefile: string | undefined,
  isThere: (name: string) => boolean,
): boolean => {
  const target = words.at(-1)!
  if (words[0] !== 'make' || !isThere(target)) return false
  const phony = (makefile ?? '').split('\n').filter((line) => line.startsWith('.PHONY'))
  return !phony.some((line) => line.split(/[\s:]+/).includes(target))
}

const managers = ['npm', 'pnpm', 'yarn', 'bun']

/** Run before and after a script by its name alone. */
const withHooks = (name: string): string[] => [`pre${name}`, name, `post${name}`]

/** Any word that names another piece counts as a call of it: one too many does no harm, one too few would. */
const follow = (
  start: readonly string[],
  pieces: ReadonlyMap<string, string>,
  around: (name: string) => string[] = (name) => [name],
): string[] => {
  const found = new Map<string, string>()
  const open = [...start]
  for (let name = open.shift(); name !== undefined; name = open.shift()) {
    const piece = pieces.get(name)
    if (piece === undefined || found.has(name)) continue
    found.set(name, piece)
    for (const word of piece.split(/[\s"'`;&|(){}]+/)) if (pieces.has(word)) open.push(...around(word))
  }
  return [...found].map(([name, piece]) => `${name}: ${piece}`)
}

const scriptsOf = (content: string): Map<string, string> => {
  try {
    const { scripts } = JSON.parse(content) as { scripts?: Record<string, unknown> }
    return new Map(Object.entries(scripts ?? {}).map(([name, script]) => [name, String(script)]))
  } catch {
    // A file that cannot be read has no scripts; no command was detected in it either.
    return new Map()
  }
}

/** Targets with what they need and do, and variables with their values. */
const rulesOf = (content: string): Map<string, string> => {
  const rules = new Map<string, string>()
  let targets: string[] = []
  for (const line of content.split('\n')) {
    const variable = /^\s*(?:export\s+)?([\w.-]+)\s*[:?+!]{0,2}=(.*)$/.exec(line)
    const rule = variable ? null : /^([^\s:#][^:#]*)::?(.*)$/.exec(line)
    if (line.startsWith('\t')) targets.forEach((target) => add(rules, target, line.trim()))
    else if (variable) add(rules, variable[1]!, variable[2]!.trim())
    else if (rule) {
      targets = rule[1]!.trim().split(/\s+/)
      targets.forEach((target) => add(rules, target, rule[2]!.trim()))
    } else if (line.trim() !== '' && !line.startsWith('#')) targets = []
  }
  return rules
}

const add = (rules: Map<string, string>, name: string, line: string): void => {
  const before = rules.get(name)
  rules.set(name, before ? `${before}; ${line}` : line)
}
