/**
 * The files that decide what a detected command does, besides the lines it stands for: settings of its program, and what
 * make takes in. A script that it runs is not among them: `sh test.sh` and `node test.js` are tests, and tests are what
 * an agent is sent to write.
 */
export const commandFiles = (
  program: string | undefined,
  text: (file: string) => string | undefined,
): readonly string[] => (program === 'make' ? makefiles(text) : (settings[program ?? ''] ?? []))

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
