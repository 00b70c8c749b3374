import { gitAt } from '../git/git.ts'
import { historyAt } from '../git/git-history.ts'
import * as worktrees from '../worktrees/sql.ts'
import type { Release } from './rules/rule-facts.ts'
import { changelogFiles, versionFiles, versionIn, versionsIn } from './rules/versions.ts'
import { type SpawnedTask, workFolderOf } from './spawned-task.ts'

const mostBytes = 16 << 20

/**
 * Reads the files of a release from the commit at which the tests passed, because a later release changes them again.
 * If that commit is unknown, reads the files in the work folder.
 */
export const releaseOf = async (spawned: SpawnedTask): Promise<Release> => {
  const { context, given } = spawned
  const { host } = context
  const folder = workFolderOf(spawned)
  const git = gitAt(host, folder)
  const history = historyAt(host, folder)
  const at = given.provedAt.find(({ gate }) => gate === 'testsPassed')?.head
  const text = async (file: string): Promise<string | undefined> => {
    if (git && at !== undefined) return history.textAt(at, `./${file}`)
    const read = await host.files.readInside(folder, file, mostBytes)
    return read.ok ? read.text : undefined
  }
  const written = (
    await Promise.all(versionFiles.map(async (file) => ({ file, text: await text(file) })))
  ).flatMap(({ file, text }) => {
    const version = text === undefined ? undefined : versionIn(file, text)
    return version === undefined ? [] : [{ file, version }]
  })
  const changelog = await firstOf(changelogFiles, text)
  const versions = [
    ...written.map(({ version }) => version),
    ...(changelog ? newestVersion(changelog.text) : []),
  ]
  return {
    written,
    ...(changelog && { changelog }),
    tags: git ? await tagsOf(spawned, versions) : [],
    provedAt: given.provedAt.filter(({ gate }) =>
      spawned.standing.gates.some((each) => each.gate === gate && each.required),
    ),
  }
}

const firstOf = async (
  files: readonly string[],
  text: (file: string) => Promise<string | undefined>,
): Promise<Release['changelog']> => {
  for (const file of files) {
    const found = await text(file)
    if (found !== undefined) return { file, text: found }
  }
  return undefined
}

const newestVersion = (changelog: string): string[] =>
  versionsIn(changelog)
    .slice(0, 1)
    .map(({ version }) => version)

const tagsOf = async (spawned: SpawnedTask, versions: readonly string[]): Promise<Release['tags']> => {
  const { host, root, store } = spawned.context
  const plain = [...new Set(versions)].filter((version) => /^[\w.+-]{1,100}$/.test(version))
  if (plain.length === 0) return []
  const patterns = plain.flatMap((version) => [`v${version}`, version, `*@${version}`])
  const found = await historyAt(host, root).tags(patterns)
  const shas = found.map(({ sha }) => sha)
  const integration = await worktrees.integration(store, spawned.row.root)
  const outside = await Promise.all([
    ...[...new Set([root, workFolderOf(spawned)])].map(
      async (folder) => (await gitAt(host, folder)?.notReachable(shas)) ?? shas,
    ),
    // Also look on the integration branch. If work has not landed yet, its tags can be reached only from that branch.
    integration ? ((await gitAt(host, root)?.notReachable(shas, integration.tip)) ?? shas) : shas,
  ])
  return found.map((tag) => ({ ...tag, reachable: outside.some((out) => !out.includes(tag.sha)) }))
}
