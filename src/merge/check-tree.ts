import { optionsOf } from '../claims/sql/spawns.ts'
import { readEvidence } from '../evidence/evidence.ts'
import type { ObservedTool } from '../evidence/observed-atom.ts'
import { runTool, variablesOf } from '../evidence/run-tools.ts'
import { termsOf } from '../evidence/spawn-terms.ts'
import * as evidence from '../evidence/sql.ts'
import type { GitWriter } from '../git/git-writer.ts'
import { removeTree } from '../host/permissions.ts'
import { type Tool, toolNames } from '../kernel/config-words.ts'
import type { Context } from '../operation/context.ts'
import { reporting } from '../operation/progress.ts'
import { allowedCommands } from '../project-commands/allowed-command.ts'
import { lastLine } from '../worktrees/integration.ts'
import { composeName } from '../worktrees/make.ts'
import { lockOfSpawn, projectFolderIn, worktreesFolder } from '../worktrees/place.ts'
import { clearWorktree } from '../worktrees/remove.ts'
import { setUpWorktree } from '../worktrees/set-up.ts'
import type { Work } from './work.ts'

/** The result of running the project's checks on merged files. */
export interface CheckedTree {
  /** The check that failed, and why it failed; undefined if all checks passed. */
  red?: { tool: Tool; why: string }
  /** Checks that failed once and passed when they ran again. */
  flaky: Tool[]
  passed: ObservedTool[]
}

/** The task and the spawn of a work whose checks passed before the merge. */
type Proved = Pick<Work, 'task' | 'spawn'>

/** Returns the tools that ran as evidence for these works. The same tools run again on the merged files. */
const toolsOf = async ({ store }: Context, works: readonly Proved[]): Promise<Tool[]> => {
  const used = new Set<Tool>()
  for (const { task, spawn } of works)
    for (const row of await evidence.ofGates(store, task.id)) {
      const { state, atoms, spawn: by } = readEvidence(row)
      if (state !== 'passed' || by !== spawn.id) continue
      for (const atom of atoms) if (atom.kind === 'tool' && atom.command !== '') used.add(atom.tool)
    }
  return toolNames.filter((tool) => used.has(tool))
}

/** Whether each tool in the evidence of a work was run at the last commit of that work. */
export const isProved = async ({ store }: Context, { task, spawn, head }: Work): Promise<boolean> => {
  const rows = (await evidence.ofGates(store, task.id)).map(readEvidence)
  const runs = rows.filter(
    ({ state, atoms, spawn: by }) =>
      state === 'passed' && by === spawn.id && atoms.some(({ kind }) => kind === 'tool'),
  )
  return runs.every((row) => row.head === head)
}

/**
 * Runs the checks of several works on a merged commit, in a temporary worktree. With `again`, a failed check runs
 * once more, so that good work is not sent back because of a flaky test.
 */
export const checkTree = async (
  context: Context,
  git: GitWriter,
  { commit, works, again }: { commit: string; works: readonly Proved[]; again: boolean },
): Promise<CheckedTree | { failed: string }> => {
  const tools = await toolsOf(context, works)
  if (tools.length === 0) return { flaky: [], passed: [] }
  const spawn = `${checkMark}${context.host.randomId(8)}`
  const folder = `${worktreesFolder(context)}/${spawn}`
  const place = { spawn, folder, branch: null }
  reporting(context, `checking ${works.map(({ task }) => task.id).join(', ')} merged`)?.()
  const { withFileLock } = await import('../store/sqlite/file-lock.ts')
  const lock = lockOfSpawn(context, spawn)
  // The lock keeps other processes from removing the folder as a leftover.
  const checked = await withFileLock(lock, async () => {
    try {
      const added = await git.addWorktree(folder, commit)
      if (!added.ok) return { failed: lastLine(added.errors) }
      const prepared = await setUpFor(context, { spawn, folder }, works.at(-1)!)
      if (!prepared.ok) return { failed: prepared.message.replace(/\.$/, '') }
      const where = { folder: projectFolderIn(context, folder), head: commit }
      return await runChecks(context, { ...where, works, tools, again })
    } finally {
      await clearWorktree(context, git, place)
    }
  })
  // Does nothing if another `receive` has already removed the lock as a leftover.
  removeTree(lock)
  return checked
}

/**
 * Sets up the check folder with the ports and names of the last work's spawn. That spawn has ended and no longer uses
 * them.
 */
const setUpFor = (context: Context, place: { spawn: string; folder: string }, { spawn }: Proved) => {
  const { slot = 0, portBase = 0, composeProject = composeName(spawn.id) } = optionsOf(spawn)?.tree ?? {}
  return setUpWorktree(context, { ...place, slot, portBase, composeProject })
}

/** Merged files are checked in folders of their own. The names of these folders begin with this text. */
export const checkMark = 'check-'

interface Checks {
  folder: string
  head: string
  works: readonly Proved[]
  tools: readonly Tool[]
  again: boolean
}

const runChecks = async (
  context: Context,
  { folder, head, works, tools, again }: Checks,
): Promise<CheckedTree> => {
  const { spawn } = works.at(-1)!
  // Use the commands of the merged files, not the pins of a spawn. Other works may have changed the commands since
  // the spawn was made.
  const allowed = await allowedCommands(context, folder, undefined)
  const flaky: Tool[] = []
  const passed: ObservedTool[] = []
  for (const tool of tools) {
    const plan = allowed(tool)
    if (plan.state === 'none') continue
    if (plan.state === 'refused') return { red: { tool, why: plan.why }, flaky, passed }
    const baseline = tool === 'test' && context.config.gates?.baseline ? termsOf(spawn)?.baseline : undefined
    const run = () =>
      runTool(
        context,
        { folder, head },
        {
          tool,
          words: plan.words,
          exclusive: plan.exclusive === true,
          ...variablesOf(spawn),
          name: `${spawn.id}-merged`,
          ...(baseline && { baseline }),
        },
      )
    const first = await run()
    const last = first.failed && again ? await run() : first
    if (last.failed) return { red: { tool, why: last.failed }, flaky, passed }
    passed.push(last.atom)
    if (first.failed) flaky.push(tool)
  }
  return { flaky, passed }
}
