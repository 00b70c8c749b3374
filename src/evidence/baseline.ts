import { gitAt } from '../git/git.ts'
import { topOfRepository } from '../git/repository.ts'
import { repositoryState } from '../git/repository-state.ts'
import type { Context } from '../operation/context.ts'
import { allowedCommands } from '../project-commands/allowed-command.ts'
import type { Pins } from '../project-commands/pin.ts'
import { runCommand } from '../project-commands/run-command.ts'
import { contradictionIn } from '../test-reports/printed-counts.ts'
import { printedFailures } from '../test-reports/printed-failures.ts'
import { type Baseline, type SpawnTerms, termsOf } from './spawn-terms.ts'
import * as evidence from './sql.ts'

/** How many bytes of a test run's output are kept: enough to name the failing tests. */
export const baselineBytes = 1 << 20

interface BaselineOf {
  folder: string
  pins: Pins
  /** The terms of the task's last attempt. */
  earlier?: SpawnTerms
}

/**
 * Returns which tests fail at the commit from which the task was first spawned; undefined if the project has no test
 * command. Reuses the baseline of the task's last attempt, or of any spawn with the same files and command. Otherwise
 * runs the tests, but only if no tracked file differs from the commit.
 */
export const takeBaseline = async (
  context: Context,
  { folder, pins, earlier }: BaselineOf,
): Promise<Baseline | undefined> => {
  if (earlier?.baseline && earlier.baseline.unavailable === undefined) return earlier.baseline
  const [commit, tree] = (await gitAt(context.host, folder)?.resolve(['HEAD^{commit}', 'HEAD^{tree}'])) ?? []
  if (!commit || !tree) return unavailable('the folder has no commit')
  // Failures at this commit count as older than the task. That is true only if the first attempt began at this commit.
  // At any other commit, an earlier attempt may have broken the tests.
  if (earlier && earlier.began !== commit)
    return unavailable(
      `the task was first spawned at another commit (${earlier.began?.slice(0, 7) ?? 'none'})`,
    )
  const allowed = (await allowedCommands(context, folder, pins))('test')
  if (allowed.state === 'none') return undefined
  if (allowed.state === 'refused') return unavailable(allowed.why)
  const words = withoutFailFast(allowed.words)
  const command = words.join(' ')
  const known = await storedBaseline(context, tree, command)
  if (known) return known
  if (context.dryRun) return unavailable(`a dry run does not run ${command}`)
  const before = await comparedWithHead(context, folder)
  if (before.changed.length > 0) return unavailable(`${firstFew(before.changed)} differs from the commit`)
  const ran = await runCommand(context, folder, words, baselineBytes, {
    exclusive: allowed.exclusive === true,
  })
  const after = await comparedWithHead(context, folder)
  const made = after.untracked.filter((path) => !before.untracked.includes(path)).slice(0, mostMade)
  if (after.changed.length > 0) return unavailable(`${firstFew(after.changed)} changed while ${command} ran`)
  if (ran.end !== 'exited')
    return unavailable(`${command} ${ran.end === 'not started' ? ran.reason : 'did not end in time'}`)
  const taken = { tree, commit, command, ...(made.length > 0 && { made }) }
  if (ran.code === 0 && contradictionIn(ran.tail) === undefined) return { ...taken, failed: 0, names: [] }
  const { failed, names, ran: didRun } = printedFailures(ran.tail)
  if (failed === undefined || !didRun)
    return unavailable(
      `${command} exited with ${ran.code}, and its output does not tell how many tests failed`,
    )
  return { ...taken, failed, ...(names && { names }) }
}

const mostMade = 200

const comparedWithHead = async (
  { host }: Context,
  folder: string,
): Promise<{ changed: string[]; untracked: string[] }> => {
  const state = await repositoryState(host, topOfRepository(host, folder)!, { maySkip: true })
  if (!state) return { changed: ['the repository'], untracked: [] }
  const paths = (untracked: boolean) =>
    state.open.filter(({ how }) => (how === 'untracked') === untracked).map(({ path }) => path)
  return { changed: paths(false), untracked: paths(true) }
}

const firstFew = (paths: readonly string[]): string => paths.slice(0, 3).join(', ')

const unavailable = (reason: string): Baseline => ({ failed: 0, unavailable: reason })

/** Looks in earlier spawns for the result of the same command on the same files. */
const storedBaseline = async (
  { store }: Context,
  tree: string,
  command: string,
): Promise<Baseline | undefined> => {
  const rows = await evidence.spawnsWithBaseline(store, tree)
  return rows.map((row) => termsOf(row)?.baseline).find((baseline) => baseline?.command === command)
}

/**
 * By default Cargo stops after the first target with a failing test, which would hide new failures in the other
 * targets.
 */
export const withoutFailFast = (words: readonly string[]): string[] =>
  words[0] === 'cargo' && words[1] === 'test' && !words.includes('--no-fail-fast')
    ? ['cargo', 'test', '--no-fail-fast', ...words.slice(2)]
    : [...words]

/** The result of comparing a failed test run with the baseline. */
export type Comparison =
  | { isNew: false; failed: number; by: 'name' | 'count' }
  /** `why` says why the failures count as new. */
  | { isNew: true; why: string }

export const compareWithBaseline = (baseline: Baseline, output: string): Comparison => {
  if (baseline.unavailable !== undefined)
    return { isNew: true, why: `gates.baseline is unavailable: ${baseline.unavailable}` }
  const now = printedFailures(output)
  if (!now.ran) return { isNew: true, why: 'the output does not show that any test ran' }
  if (now.failed === undefined || now.failed === 0)
    return { isNew: true, why: 'the output does not tell which tests failed' }
  if (now.names && baseline.names) {
    const before = new Set(baseline.names)
    const added = now.names.filter((name) => !before.has(name))
    return added.length === 0
      ? { isNew: false, failed: now.names.length, by: 'name' }
      : { isNew: true, why: `these did not fail before the spawn: ${listed(added)}` }
  }
  return now.failed <= baseline.failed
    ? { isNew: false, failed: now.failed, by: 'count' }
    : { isNew: true, why: `${now.failed} tests failed; before the spawn ${baseline.failed} did` }
}

const mostListed = 5

const listed = (names: readonly string[]): string =>
  names.length > mostListed
    ? `${names.slice(0, mostListed).join(', ')} and ${names.length - mostListed} more`
    : names.join(', ')

export const describeBaseline = ({ failed, commit, unavailable }: Baseline): string =>
  unavailable === undefined
    ? `gates.baseline: ${failed === 0 ? 'no test fails' : failed === 1 ? '1 test fails' : `${failed} tests fail`} at ${commit!.slice(0, 7)}, before the spawn`
    : `gates.baseline is unavailable, so all tests must pass: ${unavailable}`
