export interface Candidate {
  id: string
  files: readonly string[]
  /** True if the task changes no code, so that it can run at the same time as any other task. */
  isSafe?: boolean
}

export interface ParallelOptions {
  limit: number
  /** True if all agents work in one folder. In that case, a task with unknown files has to run alone. */
  shared: boolean
}

export interface ParallelSet<T> {
  chosen: T[]
  waiting: { id: string; why: string }[]
}

/**
 * Goes through the candidates in order. Chooses a candidate if its files overlap with no file of an active task, and
 * with no file of a task chosen before. Two paths overlap if they are equal or if one is a folder that contains the
 * other. A glob counts as the folder before its first wildcard.
 */
export const parallelSet = <T extends Candidate>(
  candidates: Iterable<T>,
  active: Iterable<Candidate>,
  { limit, shared }: ParallelOptions,
): ParallelSet<T> => {
  const taken = pathsInUse()
  let busy = 0
  let unknown: string | undefined
  const take = ({ id, files, isSafe }: Candidate) => {
    if (isSafe) return
    busy++
    if (files.length === 0) unknown ??= id
    for (const file of files) taken.add(file, id)
  }
  for (const task of active) take(task)

  const chosen: T[] = []
  const waiting: ParallelSet<T>['waiting'] = []
  for (const task of candidates) {
    const why = shared && !task.isSafe ? aloneReason(task, busy, unknown) : undefined
    const clash = why || task.isSafe ? undefined : firstClash(task.files, taken)
    if (why) waiting.push({ id: task.id, why })
    else if (clash) waiting.push({ id: task.id, why: clash })
    else {
      chosen.push(task)
      take(task)
      if (chosen.length === limit) break
    }
  }
  return { chosen, waiting }
}

const aloneReason = (task: Candidate, busy: number, unknown: string | undefined): string | undefined => {
  if (unknown) return `${unknown} declares no files and has the folder to itself`
  if (task.files.length === 0 && busy > 0) return 'declares no files and needs the folder to itself'
  return undefined
}

const firstClash = (files: readonly string[], taken: PathsInUse): string | undefined => {
  for (const file of files) {
    const owner = taken.owner(file)
    if (owner) return `shares ${file} with ${owner}`
  }
  return undefined
}

interface PathsInUse {
  add(file: string, owner: string): void
  owner(file: string): string | undefined
}

/**
 * Makes an index of the files of all chosen and active tasks. For each path, the index holds the task that declares
 * the path. The time of a lookup depends only on the depth of the path.
 */
const pathsInUse = (): PathsInUse => {
  const exact = new Map<string, string>()
  const below = new Map<string, string>()
  return {
    add(file, owner) {
      const parts = split(file)
      const whole = parts.join('/')
      if (!exact.has(whole)) exact.set(whole, owner)
      for (let n = 0; n < parts.length; n++) {
        const folder = parts.slice(0, n).join('/')
        if (!below.has(folder)) below.set(folder, owner)
      }
    },
    owner(file) {
      const parts = split(file)
      for (let n = 0; n <= parts.length; n++) {
        const owner = exact.get(parts.slice(0, n).join('/'))
        if (owner) return owner
      }
      return below.get(parts.join('/'))
    },
  }
}

// `src/cart/*.ts` gives the parts `src` and `cart`.
const split = (file: string): string[] => {
  const parts: string[] = []
  for (const part of file.split('/')) {
    if (isGlob(part)) break
    if (part !== '' && part !== '.') parts.push(part)
  }
  return parts
}

const isGlob = (part: string): boolean =>
  part.includes('*') || part.includes('?') || part.includes('[') || part.includes('{')
