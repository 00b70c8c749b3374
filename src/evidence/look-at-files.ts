import type { Git } from '../host/git.ts'
import type { Atom } from './atoms.ts'
import type { Looked } from './look.ts'
import { below, type Place, placed } from './place.ts'

/** Files are there, regular and inside; for work that was done, with git, committed as they are. */
export const lookAtFiles = async (
  place: Place,
  named: readonly string[],
  committed: boolean,
  { seen, problems }: Looked,
): Promise<void> => {
  if (named.length === 0) return
  const { hashInside } = await import('../host/hash-inside.ts')
  const files: { path: string; sha256: string }[] = []
  for (const each of new Set(named.map((path) => below(place, path)))) {
    const hashed = hashInside(place.folder, each)
    if (hashed.ok) files.push({ path: each, sha256: hashed.sha256 })
    else problems.push({ path: 'files', message: `${each} ${hashed.why} (in ${place.folder})` })
  }
  if (files.length === 0) return
  seen.push({ kind: 'files', files })
  if (!committed || !place.git) return
  const { uncommitted } = await import('../host/committed.ts')
  const open = await uncommitted(place.git, place.folder, files)
  if (place.git.fault()) return
  for (const [path, why] of open)
    problems.push({ path: 'files', message: `${path} ${why} in ${placed(place)}` })
}

/** Commits exist and are part of what is checked out. */
export const lookAtCommits = async (
  place: Place,
  atoms: readonly Atom[],
  { seen, problems, warnings }: Looked,
): Promise<void> => {
  const refs = atoms.flatMap((atom) => (atom.kind === 'commit' ? [atom.ref] : []))
  const files = seen.flatMap((each) => (each.kind === 'files' ? each.files : []))
  for (const ref of refs) {
    const path = 'commit'
    if (place.lost) return
    if (!place.git) {
      problems.push({ path, message: `${place.folder} is in no git repository; leave the commit out` })
      continue
    }
    const sha = await place.git.commit(ref)
    const outside = sha === undefined ? [] : await place.git.outside([sha])
    if (place.git.fault()) return
    if (sha === undefined) problems.push({ path, message: `there is no commit ${ref} in ${place.folder}` })
    else if (outside.length > 0)
      problems.push({ path, message: `commit ${ref} is not in the history of ${placed(place)}` })
    else {
      seen.push({ kind: 'commit', ref, sha })
      if (await isOlder(place, place.git, sha))
        warnings.push(
          `commit ${sha.slice(0, 7)} is older than the task: it was there when that was handed out`,
        )
      const touched = new Set(files.length > 0 ? await place.git.touched(sha) : [])
      if (files.length > 0 && !files.some((file) => touched.has(file.path)))
        warnings.push(`commit ${sha.slice(0, 7)} touches none of the files named`)
    }
  }
}

/** In the history already when the task was handed out first. */
const isOlder = async ({ began, head }: Place, git: Git, sha: string): Promise<boolean> =>
  began !== undefined && (began === head || began === sha || (await git.outside([sha], began)).length === 0)
