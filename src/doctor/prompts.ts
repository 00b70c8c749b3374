import { sha256 } from '../host/sha256.ts'
import type { Project } from '../operation/context.ts'
import { promptFile } from '../spawn/prompt-file.ts'
import type { StoreCheck } from './check.ts'
import { type Finding, mendable, named, open } from './finding.ts'
import { type LiveSpawn, liveSpawns } from './sql/spawns.ts'

const most = 5

export const prompts: StoreCheck = {
  id: 'prompts',
  needs: 'store',
  asks: 'Is the prompt of every spawn under way in its file, as it was handed out?',
  async look(context) {
    const wrong: string[] = []
    const bare: Finding[] = []
    for await (const spawn of liveSpawns(context.store)) {
      if (!isAsHandedOut(context, spawn)) wrong.push(`.cleo/spawns/${spawn.id}.md`)
      const lost = lostCompanion(context, spawn)
      if (lost) bare.push(withoutCompanion(spawn, lost))
    }
    return [
      ...(wrong.length > 0
        ? [
            mendable({
              kind: 'file',
              severity: 'error',
              what: `missing or changed: ${named(wrong)}`,
              why: 'an agent that is sent there does not read what was handed out',
              where: wrong[0]!,
            }),
          ]
        : []),
      ...bare.slice(0, most),
    ]
  },
  async mend(context) {
    for await (const spawn of liveSpawns(context.store)) {
      if (context.dryRun || isAsHandedOut(context, spawn)) continue
      context.host.files.replace(promptFile(context, spawn.id), spawn.prompt, 0o600)
    }
  },
}

/** A file of another size is not read: it may be anything. */
const isAsHandedOut = (project: Project, { id, prompt }: LiveSpawn): boolean => {
  const { files } = project.host
  const path = promptFile(project, id)
  return (
    files.kind(path) === 'file' &&
    files.size(path) === Buffer.byteLength(prompt) &&
    files.read(path) === prompt
  )
}

/** A short prompt points to a file with the rest; the hash of the spawn covers both. */
const lostCompanion = ({ host, folder }: Project, { tier, prompt, hash }: LiveSpawn): string | undefined => {
  if (tier !== 0 || sha256(`${prompt}\n`) === hash) return undefined
  const name = /\/\.cleo\/(cache\/[0-9a-f]{8}\.md)/.exec(prompt)?.[1]
  if (!name) return undefined
  const path = `${folder}/${name}`
  const text = host.files.kind(path) === 'file' ? host.files.read(path) : undefined
  return text !== undefined && sha256(`${prompt}\n${text}`) === hash ? undefined : `.cleo/${name}`
}

const withoutCompanion = ({ id, task, started_at }: LiveSpawn, path: string): Finding =>
  open({
    kind: 'file',
    severity: 'error',
    what: `${path}, which the prompt of ${id} points to, is missing or changed`,
    why: 'its agent lacks protocol and skill',
    where: path,
    fix: `cleo orchestrate ${started_at === null ? 'spawn' : 'respawn'} ${task} --tier 0 --ref`,
  })
