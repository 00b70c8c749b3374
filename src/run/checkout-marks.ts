import { sha256 } from '../host/sha256.ts'
import { isBelow } from '../kernel/path.ts'
import type { Project } from '../operation/context.ts'
import { workFoldersIn } from '../output/work-folders.ts'
import { uncommittedIn } from '../worktrees/condition.ts'

/**
 * The state of files that an agent in a worktree must not change. These are the files of the user's checkout, the git
 * configuration and the git hooks.
 */
export interface CheckoutMarks {
  /** The uncommitted files of the user's checkout, each with a hash of its content. */
  files: ReadonlyMap<string, string>
  /** Hashes of the repository's configuration and hooks. */
  git: string
}

/** Without git, `before` and `after` return undefined. */
export interface WatchedCheckout {
  before(): Promise<CheckoutMarks | undefined>
  after(): Promise<CheckoutMarks | undefined>
}

const keptMs = 1000

/**
 * If an agent starts less than a second after another one ended, `before` returns the state that `after` has just read.
 * That saves two git processes for each task of a chain.
 */
export const watchedCheckout = (project: Pick<Project, 'host' | 'root' | 'config'>): WatchedCheckout => {
  const { now } = project.host
  let last: { marks: CheckoutMarks | undefined; at: number } | undefined
  const after = async () => {
    const marks = await checkoutMarks(project)
    last = { marks, at: now() }
    return marks
  }
  return {
    before: async () => (last && Math.abs(now() - last.at) < keptMs ? last.marks : checkoutMarks(project)),
    after,
  }
}

const checkoutMarks = async (
  project: Pick<Project, 'host' | 'root' | 'config'>,
): Promise<CheckoutMarks | undefined> => {
  const { host, root } = project
  const { files } = host
  if (files.kind(`${root}/.git`) !== 'folder') return undefined
  const open = (await uncommittedIn(host, root))
    .filter((path) => !isOwnPath(project, path))
    .slice(0, mostFiles)
  const hashOf = (path: string) => sha256(files.kind(path) === 'file' ? (files.read(path) ?? '') : '')
  const hooks = files.list(`${root}/.git/hooks`).filter((name) => !name.endsWith('.sample'))
  return {
    files: new Map(open.map((path) => [path, hashOf(`${root}/${path}`)])),
    git: [
      hashOf(`${root}/.git/config`),
      ...hooks.sort().map((name) => `${name} ${hashOf(`${root}/.git/hooks/${name}`)}`),
    ].join('\n'),
  }
}

/**
 * Whether CLEO itself writes this file of the checkout. CLEO writes the files in `.cleo`. It also writes the output
 * files of tasks, because `receive` copies them into the checkout.
 */
export const isOwnPath = (project: Pick<Project, 'host' | 'root' | 'config'>, path: string): boolean =>
  path.includes('.cleo/') || isBelow(workFoldersIn(project, project.root).output, `${project.root}/${path}`)

const mostFiles = 200
const mostNamed = 3

/**
 * Returns what changed outside the folder of an agent while the agent worked. The changes can also come from
 * another agent or a person.
 */
export const changedOutside = (before: CheckoutMarks, after: CheckoutMarks): string[] => {
  const changed = [...after.files].filter(([path, hash]) => before.files.get(path) !== hash)
  const named = changed.slice(0, mostNamed).map(([path]) => path)
  const more = changed.length - named.length
  return [
    ...(changed.length > 0
      ? [
          `while it worked, the main checkout changed (${named.join(', ')}${more > 0 ? ` and ${more} more` : ''})`,
        ]
      : []),
    ...(before.git === after.git ? [] : ['while it worked, git config or hooks changed']),
  ]
}
