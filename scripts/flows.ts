import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const main = join(import.meta.dirname, '..', 'src', 'main.ts')

interface Flow {
  command: string
  /** How many files the command ran before the sources were divided into rooms. */
  before: number
  files: string[]
}

/**
 * Returns docs/architecture.md with new lists of the files that a few commands run. A file is listed if V8's coverage
 * shows that one of its functions was called.
 */
export const withFlows = (page: string): string => {
  const all = flows()
  const rows = all.map(({ command, before, files }) => `| ${command} | ${before} | ${files.length} |\n`)
  let text = replaced(page, 'flows', `| command | before | now |\n|---|---|---|\n${rows.join('')}`)
  for (const { command, files } of all)
    if (text.includes(`<!-- flow ${command} -->`))
      text = replaced(text, `flow ${command}`, `**Now** (${files.length}): ${byRoom(files)}\n`)
  return text
}

const replaced = (page: string, mark: string, text: string): string => {
  const [start, end] = [`<!-- ${mark} -->\n`, `<!-- /${mark} -->`]
  const [from, to] = [page.indexOf(start), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`docs/architecture.md has no marks for ${mark}`)
  return `${page.slice(0, from + start.length)}${text}${page.slice(to)}`
}

/** Lists files by room: `audit: sql · claims: fence, lease`. */
const byRoom = (files: readonly string[]): string =>
  [...Map.groupBy(files, (path) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : 'src'))]
    .map(
      ([room, paths]) =>
        `${room}: ${paths.map((path) => path.replace(`${room}/`, '').replace('.ts', '')).join(', ')}`,
    )
    .join(' · ')

const flows = (): Flow[] => {
  const home = mkdtempSync(join(tmpdir(), 'cleo-flows-'))
  const project = join(home, 'project')
  const cleo = (args: string[], coverage?: string): string =>
    execFileSync(process.execPath, [main, ...args], {
      cwd: project,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      // PATH is fixed, so that the result does not depend on the machine.
      env: {
        PATH: '/usr/local/bin:/usr/bin:/bin',
        HOME: home,
        USER: 'ada',
        ...(coverage && { NODE_V8_COVERAGE: coverage }),
      },
    })
  const run = (command: string, before: number, args: string[]): Flow => {
    const coverage = mkdtempSync(join(home, 'coverage-'))
    cleo(args, coverage)
    return { command, before, files: filesIn(coverage) }
  }
  try {
    mkdirSync(project)
    execFileSync('git', ['init', '--quiet', project])
    cleo(['init'])
    cleo(['add', 'Accounts', '--type', 'epic', '--description', 'Sign up and sign in.'])
    cleo([
      'add',
      'Compare hashes',
      '--parent',
      'T001',
      '--labels',
      'research',
      '--description',
      'Which hash?',
    ])
    cleo(['add', 'Plain', '--parent', 'T001'])
    const plain = run('`cleo complete T003`', 53, ['complete', 'T003'])
    const spawn = run('`cleo spawn T002 --ref`', 94, ['spawn', 'T002', '--ref'])
    cleo(['focus', 'set', 'T002', '--as', 'T002.1'])
    const outputs = join(project, 'claudedocs', 'agent-outputs')
    const file = join(outputs, readdirSync(outputs).find((name) => name.startsWith('T002'))!)
    const text = readFileSync(file, 'utf8').replace('## Summary', '## Summary\n\nArgon2id.')
    writeFileSync(file, text.replace('## References', '## References\n\n- RFC 9106'))
    const findings = ['Argon2id is the choice.', 'Bcrypt cuts at 72 bytes.', 'Scrypt is slower.']
    const append = run('`cleo manifest append`', 54, [
      ...['manifest', 'append', '--status', 'complete', '--as', 'T002.1'],
      ...findings.flatMap((finding) => ['--finding', finding]),
    ])
    const spawned = run('`cleo complete T002`, which was spawned', 78, ['complete', 'T002', '--as', 'T002.1'])
    return [plain, spawn, append, spawned]
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

interface Coverage {
  result: {
    url: string
    functions: { functionName: string; ranges: { startOffset: number; count: number }[] }[]
  }[]
}

const filesIn = (coverage: string): string[] => {
  const files = new Set<string>()
  for (const name of readdirSync(coverage)) {
    const { result } = JSON.parse(readFileSync(join(coverage, name), 'utf8')) as Coverage
    for (const { url, functions } of result) {
      if (!url.includes('/src/') || url.includes('/generated/')) continue
      // The function that starts at 0 is the whole module, which runs when the file is loaded. Do not count it.
      const called = functions.some(({ ranges: [first] }) => first!.count > 0 && first!.startOffset > 0)
      if (called) files.add(url.slice(url.indexOf('/src/') + '/src/'.length))
    }
  }
  return [...files].sort()
}

if (import.meta.main)
  for (const { command, files } of flows())
    console.log(`${command}: ${files.length} files\n${files.join('\n')}\n`)
