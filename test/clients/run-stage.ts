import { chmodSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Report, runClosed } from './closed-network.ts'
import type { Played, Scene } from './director.ts'
import type { Fetched } from './fetched.ts'
import type { Agent, Scenario, Step } from './model/scenario.ts'
import { pointToModel, type StartedClient } from './point-to-model.ts'
import { subagent } from './scripts.ts'
import { havePluginTypes } from './set-up.ts'
import { failOnSurprise, type Stage } from './stage.ts'

/**
 * Puts the client on PATH, also for login shells, and makes it use the scripted model. Returns the person's
 * environment.
 */
export const installClient = (stage: Stage, { name, command, version }: Fetched): Record<string, string> => {
  const { home, env, project } = stage
  const program = join(dirname(project), 'bin', name)
  writeFileSync(program, `#!/bin/sh\nexec ${command.map((word) => `'${word}'`).join(' ')} "$@"\n`)
  chmodSync(program, 0o755)
  writeFileSync(join(home, '.profile'), `PATH="${env['PATH']}"\n`)
  writeFileSync(join(home, '.npmrc'), 'update-notifier=false\n')
  if (name === 'opencode') havePluginTypes(join(home, '.config', 'opencode'), version)
  return { ...env, ...pointToModel(name as StartedClient, home) }
}

/**
 * Creates an epic whose tasks each build one part: T002 builds part 2, and so on. `needs` lists the parts that a part
 * needs.
 */
export const epic = async ({ project, person }: Stage, needs: Record<number, number[]>): Promise<void> => {
  writeFileSync(join(project, 'run-tests.js'), runTests)
  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({ name: 'parts', scripts: { test: 'node run-tests.js' } }),
  )
  await person('git rm -q sum.js sum.test.js && git add . && git commit -qm "Run the tests of all parts"')
  await person('cleo init && git add . && git commit -qm "Add CLEO"')
  await person('cleo add Parts --type epic --description "All parts are there."')
  for (const [part, others] of Object.entries(needs)) {
    const depends = others.length > 0 ? ` --depends ${others.map((other) => `T00${other}`).join(',')}` : ''
    await person(
      `cleo add "Build part ${part}" --parent T001 --description "part(${part}) returns ${part}." --acceptance "It returns ${part}" --files part-${part}.js,part-${part}.test.js${depends}`,
    )
  }
}

const runTests = `const { spawnSync } = require('node:child_process')
const tests = require('node:fs').readdirSync('.').filter((name) => name.endsWith('.test.js'))
const failed = tests.filter((name) => spawnSync(process.execPath, [name], { stdio: 'inherit' }).status !== 0)
console.log(\`\${tests.length - failed.length} passed, \${failed.length} failed\`)
process.exit(failed.length > 0 ? 1 : 0)
`

export interface Part {
  number: number
  /** Code that the test of the part runs instead of checking the part. */
  before?: string
}

const testOf = ({ number, before = '' }: Part) =>
  `const build = () => require('node:assert').strictEqual(require('./part-${number}')(), ${number})\n${before || 'build()'}\n`

/** A test that never ends. */
export const forEver = 'setInterval(() => undefined, 1000)'
/** A test that checks the part and ends once a file exists. */
export const waitFor = (file: string) =>
  `setInterval(() => { if (require('node:fs').existsSync('${file}')) { build(); process.exit(0) } }, 50)`

export const line = 'Implementation complete. See MANIFEST.jsonl for summary.'

/** Builds a part and runs its test. Reads each file first, because a client changes no file that it has not read. */
export const work = (part: Part): Step[] => {
  const { number } = part
  const name = `\${folder}/part-${number}`
  return [
    { shell: '${first}', needs: ['Return exactly one of'] },
    { read: `${name}.js` },
    { write: { file: `${name}.js`, text: `module.exports = () => ${number}\n` } },
    { read: `${name}.test.js` },
    { write: { file: `${name}.test.js`, text: testOf(part) } },
    { shell: 'npm test' },
  ]
}

/** Commits, writes the output file, submits and returns. */
export const deliver = ({ number }: Part): Step[] => {
  const files = [`part-${number}.js`, `part-${number}.test.js`]
  return [
    { shell: `git add ${files.join(' ')}` },
    { shell: `git commit -qm "Build part ${number}" -m "\${trailer}"` },
    { read: '${folder}/${output}' },
    { write: { file: '${folder}/${output}', text: writeUp(number) } },
    { shell: `\${finish} --finding "Part ${number} is built." --criterion 1=files:${files.join(',')}` },
    { say: line, needs: [`T00${number} submitted`] },
  ]
}

const writeUp = (number: number) =>
  `# Build part ${number}\n\n**Task**: T00${number}\n**Epic**: T001\n**Status**: complete\n\n## Summary\n\nIt returns ${number}.\n\n## Content\n\npart-${number}.js and its test.\n\n## References\n\n- part-${number}.js\n`

/** The agent of one attempt, recognized by the title of its prompt. */
export const attempt = (spawn: string, steps: readonly Step[]): Agent => ({
  ...subagent(`# ${spawn} · implementation`, steps),
  again: true,
})

/** An agent that does what its prompt says. The prompt must contain `needs`. */
export const honest = (spawn: string, part: Part, needs?: string): Agent => {
  const [first, ...rest] = [...work(part), ...deliver(part)]
  return attempt(spawn, [{ ...first!, needs: [...first!.needs!, ...(needs ? [needs] : [])] }, ...rest])
}

/** Returns the lines that `cleo run --json` prints: events, and in the last line its answer. */
export const linesOf = ({ stdout }: Played): Record<string, unknown>[] =>
  stdout
    .trim()
    .split('\n')
    .map((each) => JSON.parse(each))

export const answerOf = (played: Played) => linesOf(played).at(-1) as { data?: unknown; error?: unknown }

/** Plays scenes beside the scripted model, with no network but loopback. */
export const playScenes = async (
  { project }: Stage,
  client: Fetched,
  { env, agents, scenes }: { env: Record<string, string>; agents: Scenario['agents']; scenes: Scene[] },
): Promise<{ played: Played[]; report: Report }> => {
  const director = join(import.meta.dirname, 'director.ts')
  const report = await runClosed({
    scenario: { agents },
    command: [process.execPath, director, JSON.stringify(scenes)],
    cwd: project,
    env,
    input: '',
    limit: 550_000,
  })
  failOnSurprise(client, report)
  if (report.exit !== 0) throw new Error(`The scenes did not end: ${report.stderr}${report.stdout}`)
  return { played: JSON.parse(report.stdout) as Played[], report }
}
