/**
 * The git commands that an agent may run in its own worktree. None of them changes settings, remotes or other agents'
 * branches. `grep` is left out, because its option -O runs any program.
 */
const gitCommands = [
  ...['add', 'blame', 'commit', 'diff', 'log', 'ls-files', 'merge', 'mv', 'restore', 'rev-parse', 'rm'],
  ...['show', 'status'],
]

export const allowedCommands = (more: readonly string[] = []): string[] => [
  'cleo',
  ...gitCommands.map((name) => `git ${name}`),
  ...more,
]

/**
 * Characters with which a command line could start a second program, redirect input or output, or expand a variable.
 */
const special = /[;|<>`\n\r$()&]/

/** With this option, git can write to any file. */
const outputOption = /git (?:diff|log|show)\b.*\s--output(?![-\w])/

/**
 * Whether each command of a line begins with allowed words. Only `&&` may join commands. Text in single quotes may
 * contain any character. Text in double quotes must not contain a dollar sign, a backslash or a backquote.
 */
export const isAllowedCommand = (line: string, allowed: readonly string[]): boolean => {
  if (outputOption.test(line.replaceAll(/['"]/g, ''))) return false
  const parts = withoutQuotes(line)?.split('&&')
  return (
    parts?.every((part) => {
      const command = part.trim()
      return (
        !special.test(command) &&
        allowed.some((start) => command === start || command.startsWith(`${start} `))
      )
    }) ?? false
  )
}

/**
 * Replaces each quoted text by a letter, because the shell does not interpret special characters in it. Returns
 * undefined if a quote is not closed, if double quotes contain an expansion, or if there is a backslash outside
 * single quotes.
 */
const withoutQuotes = (line: string): string | undefined => {
  let plain = ''
  for (let i = 0; i < line.length; i++) {
    const char = line[i]!
    if (char === '\\') return undefined
    if (char !== "'" && char !== '"') {
      plain += char
      continue
    }
    const end = line.indexOf(char, i + 1)
    if (end < 0) return undefined
    if (char === '"' && /[$`\\]/.test(line.slice(i, end))) return undefined
    plain += 'q'
    i = end
  }
  return plain
}
