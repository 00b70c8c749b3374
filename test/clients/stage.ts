import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { shell } from '../front-door/hand.ts'
import { executable, type Ran } from '../support/cleo.ts'
import { type Report, runClosed } from './closed-network.ts'
import type { Fetched } from './fetched.ts'
import type { Scenario } from './model/scenario.ts'
import { type Allowed, programs } from './programs.ts'

/** A project, a home folder and a client in a temporary folder. */
export interface Stage {
  project: string
  home: string
  /** The environment of the person. */
  env: Record<string, string>
  /** Runs a line in the project, as the person. */
  person(line: string, input?: string): Promise<Ran>
  /** Runs a command of CLEO and returns its `data`. */
  ask<T>(line: string): Promise<T>
  /** Runs the client against the scripted model. */
  client(play: Play): Promise<Report>
}

export interface Play {
  scenario: Scenario
  prompt: string
  allowed?: Allowed
  /** The folder in which the client runs. By default the project. */
  cwd?: string
  args?: readonly string[]
  env?: Record<string, string>
  limit?: number
}

const broken = 'module.exports = (a, b) => a - b\n'
const test = "if (require('./sum')(1, 2) !== 3) { console.error('1 + 2 is not 3'); process.exit(1) }\n"

export const setStage = async (folder: string, client: Fetched): Promise<Stage> => {
  const project = join(folder, 'project')
  const home = join(folder, 'home')
  const bin = join(folder, 'bin')
  const temporary = join(folder, 'tmp')
  for (const each of [project, home, bin, temporary]) mkdirSync(each)
  symlinkSync(executable.command[0], join(bin, 'cleo'))
  const path = [bin, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin']
  // Codex finds its sandbox only if its home folder is not in the temporary folder.
  const env = {
    ...{ HOME: home, TMPDIR: temporary, USER: 'ada' },
    ...{ PATH: path.join(':'), NO_COLOR: '1', LANG: 'C.UTF-8' },
  }
  const person = async (line: string, input?: string): Promise<Ran> => {
    const ran = await shell(line, project, env, input)
    if (ran.exit !== 0) throw new Error(`${line}: ${ran.stdout}${ran.stderr}`)
    return ran
  }
  writeFileSync(join(project, 'sum.js'), broken)
  writeFileSync(join(project, 'sum.test.js'), test)
  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({ name: 'sums', scripts: { test: 'node sum.test.js', lint: 'node --check sum.js' } }),
  )
  // Set the names in the project, because Gemini hides the global settings of git from its shell.
  const names = 'git config user.name ada && git config user.email ada@example.invalid'
  await person(`git init -q -b main && ${names} && git add . && git commit -qm "Found the project"`)
  return {
    project,
    home,
    env,
    person,
    ask: async (line) => JSON.parse((await person(`${line} --json`)).stdout).data,
    client: async (play) => {
      const { scenario, prompt, allowed = {}, cwd = project, args = [], limit = 300_000 } = play
      const program = programs[client.name]({ home, cwd }, allowed)
      const report = await runClosed({
        scenario,
        command: [...client.command, ...program.args, ...args],
        cwd,
        env: { ...env, ...program.env, ...play.env },
        input: prompt,
        limit,
      })
      console.log(summary(client, report))
      failOnSurprise(client, report)
      return report
    },
  }
}

const summary = ({ name, says }: Fetched, { exit, late, served, ms, lookups, left }: Report): string => {
  const by = Map.groupBy(served, ({ agent }) => agent ?? 'other')
  const counts = [...by].map(([agent, all]) => `${agent} ${all.length}`).join(', ')
  const end = late ? 'ended at its limit' : `exit ${exit}`
  const more = [
    lookups.length > 0 && `looked up in vain: ${lookups.join(' ')}`,
    left.length > 0 && `left running: ${left.length}`,
  ].filter((each) => each !== false)
  return [`${name} ${says}: ${end} after ${ms} ms, requests: ${counts}`, ...more].join('; ')
}

/** Hosts that a client looks up although it was told to stay offline. Any other host fails the test. */
const knownLookups: Partial<Record<Fetched['name'], readonly string[]>> = {
  codex: ['github.com', 'chatgpt.com', 'api.github.com'],
}

export const failOnSurprise = (
  { name }: Pick<Fetched, 'name'>,
  { served, lookups, refusedPackets, stdout, stderr }: Report,
): void => {
  const broken = served.flatMap((each) => each.broken ?? [])
  const heard = served.at(-1)?.conversation?.turns.at(-1)
  if (broken.length > 0)
    throw new Error(
      `${broken.join('\n')}\nlast heard: ${heard?.text.slice(-800)}${heard?.results.slice(-800)}\n${stdout.slice(-2000)}\n${stderr.slice(-2000)}`,
    )
  const news = lookups.filter((host) => !knownLookups[name]?.includes(host))
  if (news.length > 0 || refusedPackets > 0)
    throw new Error(`${name} tried to leave loopback: ${news.join(' ')}, ${refusedPackets} packets`)
}
