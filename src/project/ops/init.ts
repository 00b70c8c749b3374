import { basename, join } from 'node:path'
import * as v from 'valibot'
import { branchOf, hasRepository, headOf, isBareRepository } from '../../git/repository.ts'
import type { Host } from '../../host/host.ts'
import { refuseOwnLinks } from '../../host/node-own-links.ts'
import { setMode } from '../../host/permissions.ts'
import { isHome } from '../../host/user-folders.ts'
import type { ActingConfig, Config } from '../../kernel/config.ts'
import { fail, ok, Refused, refuse } from '../../kernel/result.ts'
import { describe } from '../../kernel/text.ts'
import type { Project } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import { shellQuote } from '../../print/shell-quote.ts'
import { chosenStore, databasePath, openStore, postgresAddress } from '../../store/open/choose-store.ts'
import type { ProjectPlace } from '../cloned-database.ts'
import { findProject } from '../find-project.ts'
import { hasHistory, writeIgnoreFile } from '../git-ignore.ts'
import {
  aboutNext,
  type Detected,
  drawDetected,
  nextAfterRestore,
  nextFor,
  nextForAgents,
  nextForPeople,
  storeText,
} from '../init-answer.ts'
import { isKnownHere, rememberDatabase } from '../known-database.ts'
import { hasNothingInGit, notIgnored } from '../left-out-of-git.ts'
import { outerFolder } from '../outer-backups.ts'
import { runByAgent } from '../people.ts'
import { readConfig } from '../read-config.ts'
import type { bringBackProject } from '../restore-backup.ts'
import { actingConfig } from '../settings.ts'
import { identifyKnown, isKnown } from '../trust-records.ts'

export const init = operation({
  name: 'admin.init',
  kind: 'mutate',
  tier: 2,
  summary: 'Make this folder a CLEO project.',
  input: v.strictObject({
    restore: v.optional(
      describe(v.boolean(), 'restore a project whose .cleo/ was deleted, from a backup outside the project'),
    ),
    empty: v.optional(
      describe(v.boolean(), 'start without tasks, even if a backup exists or a database came with the clone'),
    ),
  }),
  output: () =>
    v.object({
      root: v.string(),
      store: v.picklist(['sqlite', 'postgres']),
      /** Commands to run next. */
      next: v.array(v.string()),
      /** What was detected in the folder of a new project. */
      detected: v.optional(
        v.object({
          /** The branch that is checked out, and whether it has a commit; undefined without a git repository. */
          git: v.optional(v.object({ branch: v.optional(v.string()), hasCommit: v.boolean() })),
          commands: v.array(v.object({ tool: v.string(), what: v.string() })),
          /** True if the commands are trusted. For that, a person must have made or trusted the project. */
          trusted: v.boolean(),
          clients: v.array(v.string()),
          /** Lines for `.gitignore`: files that the tools of the project write and that git does not ignore yet. */
          notIgnored: v.optional(v.array(v.string())),
          /** True if there is a commit, but no file is in git. */
          nothingInGit: v.optional(v.literal(true)),
        }),
      ),
      /** The backup from which the project was restored. */
      restored: v.optional(v.string()),
      /** For a clone that brought files in .cleo/: the folder to which these files were moved. */
      aside: v.optional(v.string()),
      /** How many tasks the restored project has. */
      tasks: v.optional(v.number()),
      noChange: v.optional(v.literal(true)),
    }),
  errors: [
    'input.invalid',
    'project.bare',
    'project.home',
    'project.lost',
    'project.unsaved',
    'store.missing',
    'store.cloned',
    'file.exists',
  ],
  needs: 'world',
  // An agent must not decide what happens to a lost project.
  personOnly: { when: ['restore', 'empty'] },
  cli: { command: 'init', examples: ['cleo init', 'cleo init --restore'] },
  human: ({ root, store, next, detected, noChange, restored, aside, tasks = 0 }, style) => [
    noChange
      ? `${style.cyan(root)} is already a project.`
      : `Made .cleo/ in ${style.cyan(basename(root))} (${storeText[store]}).`,
    ...(restored
      ? [`  restored ${tasks} ${tasks === 1 ? 'task' : 'tasks'} from ${style.cyan(restored)}`]
      : []),
    ...(aside ? [`  the .cleo/ files that came with the clone are in ${style.cyan(aside)}`] : []),
    ...(detected ? drawDetected(detected, style) : []),
    ...style.table(
      next.map((command) => [`  next: ${style.bold(command)}`, style.dim(aboutNext[command] ?? '')]),
      1,
    ),
  ],
  async run({ restore, empty }, world) {
    const { host, named, dryRun, actor } = world
    if (restore && empty)
      return fail('input.invalid', {
        problems: [{ path: 'empty', message: 'cannot be used with --restore', fix: 'cleo init --help' }],
      })
    const { root, found } = await findProject(host, named)
    if (!found && isHome(host, root)) return fail('project.home', { at: root })
    if (!found && isBareRepository(host, root)) return fail('project.bare', { at: root })
    const folder = join(root, '.cleo')
    refuseOwnLinks(join(folder, 'config.json'))
    const path = join(folder, 'config.json')
    const written: Config = found ? readConfig(path, host.files.read(path) ?? '') : {}
    const config = actingConfig({ host, root, written })
    const address = postgresAddress(host, config)
    const answer = {
      root,
      store: address ? ('postgres' as const) : ('sqlite' as const),
      next: runByAgent(host, actor) ? nextForAgents : nextForPeople,
    }
    const cloned = await whyCloned({ host, root, folder }, found)
    if (cloned !== undefined && !empty) return fail('store.cloned', cloned)
    if (cloned === undefined && found && (await hasStore(host, folder, config)))
      return ok({ ...answer, noChange: true as const })
    const left = found || restore || empty || cloned ? undefined : await ownDatabase(host, root)
    if (left && isKnown({ host, root, written })) {
      // Write the configuration and `.gitignore` again, because git removes a tracked file when a branch without
      // that file is checked out.
      if (!dryRun) writeIgnoreFile(host, folder, 'sqlite')
      if (!dryRun) host.files.writeNew(path, left.config, 0o644)
      return ok({ ...answer, next: nextAfterRestore, noChange: true as const })
    }
    const lost = address || cloned || left ? undefined : await lostProject(host, root)
    if (found && !restore && !cloned && hasHistory(host, folder))
      return fail('store.missing', { path: databasePath(folder), ...(lost && { backup: lost }) })
    if (lost && !restore && !empty)
      return fail('project.lost', { ...lost, fix: `cleo init --restore${shownProject(host, root)}` })
    if (restore && !lost) return fail('project.unsaved', { root })
    if (dryRun) return ok(answer)

    host.files.makeFolder(folder, 0o700)
    // Make the folder private, because in a clone git created it with a default mode.
    setMode(folder, 0o700)
    const aside = cloned && (await import('../cloned-database.ts')).moveAside({ host, root, folder })
    writeIgnoreFile(host, folder, answer.store)
    const project = config.project ?? host.randomId(12)
    if (address)
      await (
        await openStore({ kind: 'postgres', address, project }, { ...host, wait: 'block', create: true })
      ).close()
    else if (restore)
      return ok({ ...answer, next: nextAfterRestore, ...(await bringBack({ host, root, folder, actor })) })
    else await createDatabase(host, folder)
    // Write the configuration last, because it makes the folder a project. A crash before that leaves no half-made
    // project.
    const text = address ? `${JSON.stringify({ ...written, project }, null, 2)}\n` : '{}\n'
    if (!found) host.files.writeNew(path, text, 0o644)
    else if (address && !config.project) host.files.replace(path, text, 0o644)
    const own = { ...world, root, folder, config: {}, written: address ? { ...written, project } : written }
    const { detected, warnings } = await detectAndTrust(own, found || cloned !== undefined)
    const next = nextFor(answer.next, detected)
    return ok({ ...answer, next, ...(aside && { aside }), detected }, { warnings })
  },
})

/**
 * Detects the commands that the answer shows. If a person makes the project, also trusts the project and these
 * commands. In a clone, or if an agent runs the command, nothing is trusted. Reads files, including git's own, and
 * starts at most one process, git.
 */
const detectAndTrust = async (
  project: Project,
  cloned: boolean,
): Promise<{ detected: Detected; warnings: string[] }> => {
  const { host, root } = project
  const git = hasRepository(host, root)
    ? { branch: await branchOf(host, root), hasCommit: (await headOf(host, root)) !== null }
    : undefined
  const leftOut = git ? await notIgnored(host, root) : []
  const isNothing = git?.hasCommit === true && (await hasNothingInGit(host, root))
  const byAgent = runByAgent(host, project.actor)
  const found = async (trust: boolean) => ({
    ...(git && { git }),
    ...(await project.detectNewProject(project, { trust })),
    trusted: trust,
    ...(leftOut.length > 0 && { notIgnored: leftOut }),
    ...(isNothing && { nothingInGit: true as const }),
  })
  if (byAgent)
    return {
      detected: await found(false),
      warnings: ['an agent ran init, so nothing here is trusted yet; run cleo trust in your own terminal'],
    }
  try {
    if (!cloned) return { detected: await found(true), warnings: [] }
    await identifyKnown(project)
    const warnings = isKnown(project)
      ? []
      : ['the settings, commands and skills of this project are not trusted yet; see: cleo trust']
    return { detected: { ...(await found(false)), trusted: isKnown(project) }, warnings }
  } catch (error) {
    // Only warn, because the project works without a record of trust, and its commands run as soon as a person trusts
    // them.
    if (!(error instanceof Refused)) throw error
    return { detected: await found(false), warnings: [`nothing is trusted yet: ${error.message}`] }
  }
}

const hasStore = async (host: Host, folder: string, config: ActingConfig): Promise<boolean> => {
  if (!postgresAddress(host, config)) return host.files.kind(databasePath(folder)) === 'file'
  if (!config.project) return refuse('project.unnamed', { where: 'the PostgreSQL database' })
  try {
    await (await openStore(chosenStore(host, folder, config), { ...host, wait: 'block' })).close()
    return true
  } catch (error) {
    if (error instanceof Refused && error.failure.code === 'store.empty') return false
    throw error
  }
}

/**
 * Returns why a stranger may have written the database or another private file; undefined if this user may use them.
 */
const whyCloned = async (
  place: ProjectPlace,
  found: boolean,
): Promise<{ path: string; why: string } | undefined> => {
  const { host, folder } = place
  if (host.files.kind(folder) === undefined) return undefined
  const path = databasePath(folder)
  const { projectIn } = await import('../../store/sqlite/backup.ts')
  refuseOwnLinks(path)
  const id = host.files.kind(path) === 'file' ? projectIn(path) : undefined
  if (id !== undefined && isKnownHere(host, id)) return undefined
  const why = await (await import('../cloned-database.ts')).whyCloned(place)
  if (why !== undefined) return { path, why }
  // Without a configuration, refuse a database that already has an id, because it belongs to no project of this user.
  // Allow a database that has no id yet, because another `init` may be creating it. Every later command checks the
  // database again.
  return found || id === undefined
    ? undefined
    : { path, why: 'it was here before cleo init, and no command of this user made it' }
}

const bringBack = async (project: Parameters<typeof bringBackProject>[0]) =>
  (await import('../restore-backup.ts')).bringBackProject(project)

const lostProject = async (host: Host, root: string) =>
  (await import('../lost-project.ts')).offerAt(host, root)

/**
 * Returns the last saved configuration of a folder that lost its configuration. Returns undefined if the folder has no
 * database that this user made or accepted.
 */
const ownDatabase = async (host: Host, root: string): Promise<{ config: string } | undefined> => {
  const path = databasePath(join(root, '.cleo'))
  if (host.files.kind(path) !== 'file') return undefined
  const { projectIn } = await import('../../store/sqlite/backup.ts')
  const id = projectIn(path)
  if (id === undefined || !isKnownHere(host, id)) return undefined
  const { savedConfig } = await import('../make-outer-backup.ts')
  const outer = outerFolder(host, id)
  return { config: (outer && host.files.read(savedConfig(outer))) ?? '{}\n' }
}

const shownProject = ({ cwd }: Host, root: string): string =>
  root === cwd ? '' : ` --project ${shellQuote(root)}`

const createDatabase = async (host: Host, folder: string): Promise<void> => {
  const { createSqlite } = await import('../../store/sqlite/create.ts')
  createSqlite(databasePath(folder), host.randomId(8), (id) => rememberDatabase(host, id))
}
