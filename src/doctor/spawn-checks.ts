import { optionsOf } from '../claims/sql/spawns.ts'
import { sha256 } from '../host/sha256.ts'
import type { Project } from '../operation/context.ts'
import { withoutEnvironment } from '../prompt/output-requirements.ts'
import { promptFile } from '../spawn/stored-spawn.ts'
import { worktree as worktreeOf } from '../worktrees/sql.ts'
import type { StoreCheck } from './check.ts'
import { type DoctorFinding, fixableFinding, listNames, manualFinding, mostShown } from './doctor-finding.ts'
import { type OpenSpawn, openSpawns } from './sql/entries.ts'

export const prompts: StoreCheck = {
  id: 'prompts',
  needs: 'store',
  question: 'Does the prompt file of every open spawn hold the prompt that was spawned?',
  async find(context) {
    const wrong: string[] = []
    const incomplete: DoctorFinding[] = []
    const altered: DoctorFinding[] = []
    for await (const spawn of openSpawns(context.store)) {
      if (!isAsHashed(context, spawn)) altered.push(alteredPrompt(spawn))
      else if (!isAsSpawned(context, spawn)) wrong.push(`.cleo/spawns/${spawn.id}.md`)
      const lost = lostCompanion(context, spawn)
      if (lost) incomplete.push(withoutCompanion(spawn, lost))
    }
    return [
      ...(wrong.length > 0
        ? [
            fixableFinding({
              kind: 'file',
              severity: 'error',
              what: `${listNames(wrong)} ${wrong.length === 1 ? 'is' : 'are'} missing or changed`,
              why: 'an agent does not get the prompt that CLEO recorded for it',
              where: wrong[0]!,
            }),
          ]
        : []),
      ...altered.slice(0, mostShown),
      ...incomplete.slice(0, mostShown),
    ]
  },
  async fix(context) {
    for await (const spawn of openSpawns(context.store)) {
      if (context.dryRun || isAsSpawned(context, spawn) || !isAsHashed(context, spawn)) continue
      context.host.files.replace(promptFile(context, spawn.id), spawn.prompt, 0o600)
    }
  },
}

/** The hash of a tier-0 prompt also covers the file to which the prompt points. */
const isAsHashed = ({ host, folder }: Project, spawn: OpenSpawn): boolean => {
  const { tier, hash } = spawn
  const prompt = hashedPrompt(spawn)
  if (sha256(`${prompt}\n`) === hash) return true
  const path = tier === 0 ? companionOf(folder, prompt) : undefined
  const text = path !== undefined && host.files.kind(path) === 'file' ? host.files.read(path) : undefined
  // If the file to which the prompt points is missing, the hash cannot be checked. `lostCompanion` reports the
  // missing file.
  return tier === 0 && path !== undefined && (text === undefined || sha256(`${prompt}\n${text}`) === hash)
}

const hashedPrompt = (spawn: OpenSpawn): string => withoutEnvironment(spawn.prompt, optionsOf(spawn)?.tree)

const alteredPrompt = ({ id, task, started_at }: OpenSpawn): DoctorFinding =>
  manualFinding({
    kind: 'damage',
    severity: 'error',
    what: `the stored prompt of ${id} does not have the hash that was recorded with it`,
    why: 'another program changed the database; --fix does not write this prompt to its file',
    where: id,
    fix: `cleo ${started_at === null ? 'spawn' : 'respawn'} ${task} --ref`,
  })

const companionOf = (folder: string, prompt: string): string | undefined => {
  const name = /\/\.cleo\/(cache\/[0-9a-f]{8}\.md)/.exec(prompt)?.[1]
  return name && `${folder}/${name}`
}

/** Compares sizes first, so that a file that became huge is never read. */
const isAsSpawned = (project: Project, { id, prompt }: OpenSpawn): boolean => {
  const { files } = project.host
  const path = promptFile(project, id)
  return (
    files.kind(path) === 'file' &&
    files.size(path) === Buffer.byteLength(prompt) &&
    files.read(path) === prompt
  )
}

/**
 * A tier-0 prompt points to a companion file with the protocol and the skill. Returns the path of this file if it is
 * missing or no longer matches the hash of the spawn.
 */
const lostCompanion = ({ host, folder }: Project, spawn: OpenSpawn): string | undefined => {
  const { tier, hash } = spawn
  const prompt = hashedPrompt(spawn)
  if (tier !== 0 || sha256(`${prompt}\n`) === hash) return undefined
  const path = companionOf(folder, prompt)
  if (path === undefined) return undefined
  const text = host.files.kind(path) === 'file' ? host.files.read(path) : undefined
  return text !== undefined && sha256(`${prompt}\n${text}`) === hash
    ? undefined
    : path.slice(path.indexOf('.cleo/'))
}

const withoutCompanion = ({ id, task, started_at }: OpenSpawn, path: string): DoctorFinding =>
  manualFinding({
    kind: 'file',
    severity: 'error',
    what: `${path}, which the prompt of ${id} points to, is missing or changed`,
    why: `the agent of ${id} does not get the protocol and the skill that CLEO recorded`,
    where: path,
    fix: `cleo ${started_at === null ? 'spawn' : 'respawn'} ${task} --tier 0 --ref`,
  })

export const worktrees: StoreCheck = {
  id: 'worktrees',
  needs: 'store',
  question: 'Does the work folder of every open spawn exist?',
  async find({ store, host }) {
    const findings: DoctorFinding[] = []
    for await (const { id, task, asked } of openSpawns(store)) {
      const { worktree } = JSON.parse(asked) as { worktree?: string }
      // Skip relative paths, because the folder from which they start was not recorded.
      if (!worktree?.startsWith('/') || host.files.kind(worktree) !== undefined) continue
      // Skip the worktrees that CLEO made or adopted, because the check `worktree-folders` reports them.
      if (await worktreeOf(store, id)) continue
      findings.push(
        manualFinding({
          kind: 'file',
          severity: 'error',
          what: `the work folder of ${id}, ${worktree}, does not exist`,
          why: `unmerged work of ${task} in this folder is lost`,
          where: worktree,
          advice: `Restore the worktree there, or spawn ${task} in another folder`,
          fix: 'cleo respawn --help',
        }),
      )
      if (findings.length === mostShown) break
    }
    return findings
  },
}
