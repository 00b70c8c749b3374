import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Prints which source files run for a few commands: files in which at least one function was called, according to
 * V8's coverage. docs/architecture.md lists them. Run it as `node scripts/flows.ts`; `--count` prints only the counts.
 */
const root = join(import.meta.dirname, '..')
const main = join(root, 'src', 'main.ts')
const home = mkdtempSync(join(tmpdir(), 'cleo-flows-'))

const cleo = (args: string[], coverage?: string): string =>
  execFileSync(process.execPath, [main, ...args], {
    cwd: home,
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'],
      HOME: join(home, '.home'),
      USER: 'ada',
      ...(coverage && { NODE_V8_COVERAGE: coverage }),
    },
  })

interface Coverage {
  result: {
    url: string
    functions: { functionName: string; ranges: { startOffset: number; count: number }[] }[]
  }[]
}

const filesRun = (args: string[]): string[] => {
  const folder = mkdtempSync(join(home, 'coverage-'))
  cleo(args, folder)
  const files = new Set<string>()
  for (const name of readdirSync(folder)) {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Coverage
    for (const { url, functions } of result) {
      if (!url.includes('/src/') || url.includes('/generated/')) continue
      // Skip the function that starts at 0. It is the module itself, which is called when the file is loaded.
      const called = functions.some(({ ranges: [first] }) => first!.count > 0 && first!.startOffset > 0)
      if (called) files.add(url.slice(url.indexOf('/src/') + '/src/'.length))
    }
  }
  return [...files].sort()
}

try {
  execFileSync('git', ['init', '--quiet', home])
  cleo(['init'])
  cleo(['add', 'Accounts', '--type', 'epic', '--description', 'Sign up and sign in.'])
  cleo(['add', 'Compare hashes', '--parent', 'T001', '--labels', 'research', '--description', 'Which hash?'])
  cleo(['add', 'Plain', '--parent', 'T001'])
  const flows: Record<string, string[]> = {}
  flows['complete T003'] = filesRun(['complete', 'T003'])
  flows['spawn T002 --ref'] = filesRun(['spawn', 'T002', '--ref'])
  cleo(['focus', 'set', 'T002', '--as', 'T002.1'])
  const outputs = join(home, 'claudedocs', 'agent-outputs')
  const file = join(outputs, readdirSync(outputs).find((name) => name.startsWith('T002'))!)
  const text = readFileSync(file, 'utf8').replace('## Summary', '## Summary\n\nArgon2id.')
  writeFileSync(file, text.replace('## References', '## References\n\n- RFC 9106'))
  const findings = ['Argon2id is the choice.', 'Bcrypt cuts at 72 bytes.', 'Scrypt is slower.']
  flows['manifest append'] = filesRun([
    ...['manifest', 'append', '--status', 'complete', '--as', 'T002.1'],
    ...findings.flatMap((finding) => ['--finding', finding]),
  ])
  flows['complete T002, spawned'] = filesRun(['complete', 'T002', '--as', 'T002.1'])
  for (const [command, files] of Object.entries(flows)) {
    console.log(`${command}: ${files.length} files`)
    if (!process.argv.includes('--count')) console.log(`${files.map((path) => `  ${path}`).join('\n')}\n`)
  }
} finally {
  rmSync(home, { recursive: true, force: true })
}
