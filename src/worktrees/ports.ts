import type { Host } from '../host/host.ts'
import { arePortsFree } from '../host/machine.ts'
import { removeFile } from '../host/permissions.ts'
import { sha256 } from '../host/sha256.ts'
import { withFileLock } from '../store/sqlite/file-lock.ts'
import { portsFolder } from './written-folders.ts'

export interface WorktreeNumbers {
  slot: number
  portBase: number
  composeProject: string
}

/** Returns environment variables that let programs in different worktrees use different ports and names. */
export const worktreeVariables = ({
  slot,
  portBase,
  composeProject,
}: WorktreeNumbers): Record<string, string> => ({
  CLEO_SLOT: String(slot),
  CLEO_PORT_BASE: String(portBase),
  COMPOSE_PROJECT_NAME: composeProject,
})

export interface PortHolder {
  /** The id or the path of the project. */
  project: string
  spawn: string
  /** The folder of the worktree. If the folder is gone, the holder's block of ports is free. */
  folder: string
}

export const portsEach = 20
// All blocks are below the ports that Linux gives to outgoing connections, so that no connection takes a reserved port.
export const firstPort = 20_000
const lastPort = 32_760
const blocks = Math.floor((lastPort - firstPort) / portsEach)

/** How long a block stays reserved for a worktree that is still being made. */
const makingMs = 60 * 60_000

/**
 * Reserves a block of ports for one worktree, and returns its first port; undefined if all blocks are taken. Skips
 * blocks in which a program listens on a port. Each reserved block has a file in the user's state folder, so that two
 * projects never get the same block. A holder that already has a block gets the same block again.
 */
export const reservePorts = async (host: Host, holder: PortHolder): Promise<number | undefined> => {
  const folder = portsFolder(host)
  host.files.makeFolder(folder, 0o700)
  return withFileLock(`${folder}/lock`, async () => {
    const taken = takenBlocks(host)
    const own = [...taken].find(([, by]) => isSame(by, holder))
    if (own) return own[0]
    // The blocks of other users are not in this list. So begin the search at a block that depends on the user. Then
    // two users of one machine rarely get the same ports.
    const start = Number.parseInt(sha256(host.user).slice(0, 8), 16) % blocks
    for (let n = 0; n < blocks; n++) {
      const base = firstPort + ((start + n) % blocks) * portsEach
      const by = taken.get(base)
      if (by && !isGone(host, by)) continue
      if (!(await arePortsFree(base, portsEach))) continue
      if (by) removeFile(`${folder}/${base}`)
      const text = JSON.stringify({ ...holder, at: host.now() })
      if (host.files.writeNew(`${folder}/${base}`, `${text}\n`, 0o600)) return base
    }
    return undefined
  })
}

/** Releases a block, if it belongs to this holder. */
export const releasePorts = async (
  host: Host,
  portBase: number,
  holder: Pick<PortHolder, 'project' | 'spawn'>,
): Promise<void> => {
  const folder = portsFolder(host)
  if (host.files.kind(folder) === undefined) return
  await withFileLock(`${folder}/lock`, () => {
    const by = takenBlocks(host).get(portBase)
    if (by && isSame(by, holder)) removeFile(`${folder}/${portBase}`)
  })
}

type Taken = Partial<PortHolder> & { at?: number }

const takenBlocks = (host: Host): Map<number, Taken> => {
  const { files } = host
  const folder = portsFolder(host)
  const bases = files.list(folder).filter((name) => Number.isInteger(Number(name)))
  return new Map(bases.map((name) => [Number(name), readHolder(files.read(`${folder}/${name}`))]))
}

/**
 * Reads the holder of a block from the text of the block's file. If the text contains no holder, returns an empty
 * object. `isGone` then treats the block as free.
 */
const readHolder = (text: string | undefined): Taken => {
  try {
    const read: unknown = JSON.parse(text ?? '')
    return typeof read === 'object' && read !== null ? read : {}
  } catch {
    return {}
  }
}

const isSame = (by: Taken, { project, spawn }: Pick<PortHolder, 'project' | 'spawn'>): boolean =>
  by.project === project && by.spawn === spawn

const isGone = ({ files, now }: Host, { folder, at = 0 }: Taken): boolean =>
  typeof folder !== 'string' || (files.kind(folder) === undefined && Math.abs(now() - at) > makingMs)
