/**
 * The files that decide what a detected command does, besides the lines it stands for: settings of its program, what
 * make takes in, and the scripts that are run. What a command works on is none of them.
 */
export const commandFiles = (
  words: readonly string[],
  source: readonly string[],
  text: (file: string) => string | undefined,
): string[] => {
  const [program = ''] = words
  const own = program === 'make' ? makefiles(text) : (settings[program] ?? [])
  const run = [words.join(' '), ...source.map((line) => line.slice(line.indexOf(': ') + 2))].flatMap(
    scriptsIn,
  )
  return [...new Set([...own, ...run])]
}

/** One that comes counts like one that changes: an empty place is remembered, too. */
const settings: Readonly<Record<string, readonly string[]>> = {
  npm: ['.npmrc'],
  pnpm: ['.npmrc', 'pnpm-workspace.yaml'],
  yarn: ['.npmrc', '.yarnrc', '.yarnrc.yml'],
  bun: ['.npmrc', 'bunfig.toml'],
  cargo: ['.cargo/config.toml', '.cargo/config'],
}

const mostIncluded = 100

/** In the order in which make looks for them, with all they include. */
const makefiles = (text: (file: string) => string | undefined): string[] => {
  const found = new Set<string>()
  const open = ['GNUmakefile', 'makefile', 'Makefile']
  for (let file = open.shift(); file !== undefined && found.size < mostIncluded; file = open.shift()) {
    if (found.has(file)) continue
    found.add(file)
    for (const line of (text(file) ?? '').split('\n')) {
      const [word = '', ...names] = line.trim().split(/\s+/)
      if (['include', '-include', 'sinclude'].includes(word)) open.push(...names.map(plain))
    }
  }
  return [...found]
}

const plain = (path: string): string => (path.startsWith('./') ? path.slice(2) : path)

const runners = [
  'sh',
  'bash',
  'dash',
  'zsh',
  'ksh',
  '.',
  'source',
  'node',
  'bun',
  'python',
  'python3',
  'ruby',
  'perl',
  'php',
  'tsx',
]
const passedBy = ['env', 'exec', 'time', 'command', 'npx']
/** What a build makes is different every time. */
const made = ['dist', 'build', 'out', 'target', 'coverage', 'node_modules']

/** `node --test a.js` looks at a file, `node a.js` runs it. */
const scriptOf = (words: readonly string[]): string | undefined =>
  words.includes('--test') || words.includes('--check')
    ? undefined
    : words.find((word) => !word.startsWith('-'))

/** The script of each single command in a line of shell: its first word, or what that is to run. */
const scriptsIn = (line: string): string[] =>
  line.split(/[;&|()`\n]+/).flatMap((command) => {
    const words = command
      .split(/[\s"']+/)
      .map((word) => word.replace(/^[@+-](?=[\w./])/, ''))
      .filter((word) => word !== '' && !/^\w+=/.test(word) && !passedBy.includes(word))
    const [first = '', ...others] = words
    const name = first.slice(first.lastIndexOf('/') + 1)
    const script = runners.includes(name) ? scriptOf(others) : first
    const isPath = script !== undefined && (script.includes('/') || script.includes('.'))
    return isPath && !script.startsWith('/') && !made.includes(plain(script).split('/')[0]!)
      ? [plain(script)]
      : []
  })
