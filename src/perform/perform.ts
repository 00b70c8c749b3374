import { refuseSuperseded } from '../claims/fence.ts'
import { leaseMs, recordedEvery } from '../claims/lease.ts'
import * as claims from '../claims/sql/claims.ts'
import * as spawns from '../claims/sql/spawns.ts'
import { refuseOwnLinks } from '../host/node-own-links.ts'
import { type Actor, actorOf } from '../kernel/actor.ts'
import { checkInput } from '../kernel/check-input.ts'
import { mostProblems } from '../kernel/input-limits.ts'
import type { ProgressListener } from '../kernel/progress.ts'
import {
  type Failure,
  type Fault,
  fail,
  ok,
  problemsOf,
  Refused,
  type Result,
  refuse,
} from '../kernel/result.ts'
import { parseSpawnId, parseTaskId } from '../kernel/task-id.ts'
import type { CallingContext, Context, Live, Project, World } from '../operation/context.ts'
import { estimateFix, isEstimate } from '../operation/estimates.ts'
import type { Operation } from '../operation/operation.ts'
import { writer } from '../operation/write.ts'
import * as sessions from '../sessions/sql.ts'
import type { Store } from '../store/port.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import type { Connection } from './connection.ts'
import { agentThatRuns, foreignActor, needsPerson } from './who-acts.ts'

export interface Caller {
  actor: Actor
  sessionId?: string
  dryRun: boolean
  progress?: ProgressListener
  sandbox?: World['sandbox']
  live?: Live
}

/**
 * Runs one operation for the command line, the MCP server or any other caller. Warns about untrusted settings only if
 * the operation needs the store, because commands about trust need no store and list these settings themselves.
 */
export const perform = async (
  operation: Operation,
  input: unknown,
  connection: Connection,
  caller: Caller,
): Promise<Result<unknown>> => {
  const result = await runOperation(operation, input, connection, caller)
  const untrusted = opensStore(operation) ? connection.untrusted() : undefined
  if (!untrusted && (result.ok || !(namesTrust(result) || namesRelease(result)))) return result
  const { withTrustNotice } = await import('./trust-notice.ts')
  return withTrustNotice(result, untrusted, (await agentThatRuns(connection, caller)) !== undefined)
}

const opensStore = ({ needs = 'store' }: Operation): boolean => needs === 'store' || needs === 'operations'

const namesTrust = ({ fix, problems }: Failure): boolean =>
  fix === 'cleo trust' || problems?.some((each) => each.fix === 'cleo trust') === true

const namesRelease = ({ alternatives }: Failure): boolean =>
  alternatives?.some((each) => /^A person can re(?:lease|place) /.test(each)) === true

/**
 * Checks the input, opens what the operation needs, runs the operation and renews the caller's claims. If one of these
 * steps throws a refusal, returns this refusal.
 */
const runOperation = async (
  operation: Operation,
  input: unknown,
  connection: Connection,
  caller: Caller,
): Promise<Result<unknown>> => {
  try {
    const checked = checkInput(operation.input, input)
    if (!checked.ok) {
      if (checked.unknown.some(isEstimate)) return await refuseEstimate(operation, input, connection)
      const { problems, more, oversized } = checked
      // There are already enough problems to show, so do not open the store to find more.
      if (oversized || more > 0) return fail('input.invalid', { problems, more })
      const found = await furtherProblems(operation, input, connection, caller)
      return fail('input.invalid', { problems: [...problems, ...problemsOf(found)] })
    }
    const foreign = foreignActor(connection, caller)
    if (foreign) return foreign
    if (operation.orchestratorOnly && parseSpawnId(caller.actor.id))
      return fail('orchestrator.needed', { operation: operation.name, actor: caller.actor.id })
    if (needsPerson(operation, checked.value)) {
      const agent = await agentThatRuns(connection, caller)
      if (agent)
        return await askPerson(operation, { given: input, checked: checked.value, agent }, connection, caller)
    }
    const needs = operation.needs ?? 'store'
    if (needs === 'world') {
      const open = () => openContext(operation, connection, caller)
      return withFirstWarnings(await operation.run(checked.value, { ...worldOf(connection, caller), open }))
    }
    if (needs === 'project') {
      const project = await openProject(connection, caller)
      refuseOwnLinks(project.folder)
      return withFirstWarnings(await operation.run(checked.value, project))
    }
    const project = await openProject(connection, caller)
    const store = await connection.store()
    const call = { operation, connection, caller }
    const ingested = operation.ingests ? await ingestFirst(call, project, store, checked.value.id) : []
    const runOn = async (store: Store) => {
      const context = await contextOf(call, project, store)
      if (operation.kind === 'mutate') await refuseSuperseded(store, caller.actor.id)
      const result = withFirstWarnings(withWarnings(ingested, await operation.run(checked.value, context)))
      return caller.dryRun ? result : await renewClaims(context, result)
    }
    return await (operation.kind === 'query' ? store.snapshot(runOn) : runOn(store))
  } catch (error) {
    if (error instanceof Refused) return error.failure
    throw error
  }
}

/**
 * Ingests the lines that agents have appended to three manifests: those of the project, the caller's spawn and the
 * given task's latest spawn. If one of these spawns does not exist or has no worktree, reads the manifest of the
 * worktree in which this command runs. Must run before a query takes its snapshot, so that the query sees these lines.
 */
const ingestFirst = async (call: Call, project: Project, store: Store, id: unknown): Promise<string[]> => {
  const { tryIngest } = await import('../manifest/ingest.ts')
  const { workFolder } = await import('../output/work-folders.ts')
  const context = await contextOf(call, project, store)
  const { actor } = context
  const own = actor.agent ? await spawns.find(store, actor.id) : undefined
  const task = typeof id === 'string' ? parseTaskId(id) : undefined
  const asked = task === undefined ? undefined : await spawns.latest(store, task)
  const folders = new Set<string>()
  for (const spawn of [own, asked]) folders.add(await workFolder(context, spawns.optionsOf(spawn)))
  return tryIngest(context, [...folders])
}

const withWarnings = (first: readonly string[], result: Result<unknown>): Result<unknown> =>
  first.length > 0 ? { ...result, warnings: [...first, ...(result.warnings ?? [])] } : result

/** The limit is the same as for problems. */
const withFirstWarnings = (result: Result<unknown>): Result<unknown> => {
  if (!result.ok || !result.warnings || result.warnings.length <= mostProblems) return result
  const more = result.warnings.length - mostProblems
  return { ...result, warnings: [...result.warnings.slice(0, mostProblems), `and ${more} more warnings`] }
}

/**
 * Refuses an operation that only a person may run, and puts a question into the inbox. But outside a project, in a
 * read-only store or for a superseded spawn, no question is stored, and the refusal names no question.
 */
const askPerson = async (
  operation: Operation,
  { agent, ...call }: { given: unknown; checked: unknown; agent: { client?: string } },
  connection: Connection,
  caller: Caller,
): Promise<Failure> => {
  const refusal = fail('person.needed', { operation: operation.name, actor: caller.actor.id, ...agent })
  if (caller.dryRun || operation.name === 'inbox.answer') return refusal
  try {
    const { ask } = await import('../questions/ask.ts')
    const context = await openContext(operation, connection, caller)
    const id = await ask(operation, call as Parameters<typeof ask>[1], context)
    return id ? { ...refusal, alternatives: [`A person can answer question ${id}: cleo inbox`] } : refusal
  } catch {
    return refusal
  }
}

const worldOf = ({ host, named }: Connection, { actor, dryRun, progress, sandbox, live }: Caller): World => ({
  host,
  named,
  actor,
  dryRun,
  progress,
  ...(sandbox && { sandbox }),
  ...(live && { live }),
  // Loaded on first use, because few projects have hooks.
  runHooks: async (...call) => (await import('./hooks.ts')).runHooks(...call),
  detectNewProject: async (project, options) => {
    const { detectNewProject } = await import('../trust/detect-new-project.ts')
    const { installedClients } = await import('../clients/installed.ts')
    return {
      commands: await detectNewProject(project, options),
      clients: installedClients(project.host),
    }
  },
})

const openProject = async (connection: Connection, caller: Caller): Promise<Project> => ({
  ...worldOf(connection, caller),
  ...(await connection.project()),
})

const openContext = async (
  operation: Operation,
  connection: Connection,
  caller: Caller,
): Promise<Context> => {
  const project = await openProject(connection, caller)
  return contextOf({ operation, connection, caller }, project, await connection.store())
}

interface Call {
  operation: Operation
  connection: Connection
  caller: Caller
}

const contextOf = async (
  { operation, connection, caller }: Call,
  project: Project,
  store: Store,
): Promise<CallingContext> => {
  const context: CallingContext = {
    ...project,
    store,
    write: (work) => writer(context, operation.name)(work),
    call: async (name, input, as, { sandbox } = {}) => {
      const { load } = await import('./generated/load.ts')
      const actor = as === undefined ? caller.actor : actorOf(as, undefined, as)
      // Only the calling operation reports progress, not each operation that it calls.
      const { live: _, progress: __, ...quiet } = caller
      return perform((await load(name))!, input, connection, { ...quiet, actor, ...(sandbox && { sandbox }) })
    },
  }
  if (caller.sessionId) context.session = await findSession(context, caller.sessionId, operation)
  return context
}

/**
 * Called if the schema refuses the input. Lets `examine` look for further problems in the valid parts of the input. If
 * the store cannot be opened, returns no problems, because a later call with valid input reports why.
 */
const furtherProblems = async (
  operation: Operation,
  input: unknown,
  connection: Connection,
  caller: Caller,
): Promise<Fault[]> => {
  if (!operation.examine) return []
  try {
    const valid = (await import('../kernel/valid-parts.ts')).validParts(operation.input, input)
    return await operation.examine(valid as object, await openContext(operation, connection, caller))
  } catch (error) {
    if (error instanceof Refused) return []
    throw error
  }
}

const findSession = async ({ store }: Context, id: string, { kind, name }: Operation) => {
  const session = (await sessions.find(store, id)) ?? refuse('session.not_found', { id })
  const ended = session.status === 'ended'
  // Commands of the group `session` can still use an ended session, to resume it, to end it again or to start a new
  // one.
  if (ended && kind === 'mutate' && !name.startsWith('session.')) refuse('session.ended', { id })
  return session
}

/**
 * Renews the caller's claims after any command, even a refused one. Writes at most once per interval (`recordedEvery`),
 * so that most queries cause no write. An error here is only a warning, because the command itself has already run.
 */
const renewClaims = async (
  { store, actor, config }: Context,
  result: Result<unknown>,
): Promise<Result<unknown>> => {
  try {
    const lease = leaseMs(config)
    const now = await store.now()
    const isSpawn = parseSpawnId(actor.id) !== undefined
    if (await claims.endsBefore(store, actor.id, now + lease - recordedEvery(config, isSpawn)))
      await store.tx(async (db) => {
        await claims.renew(db, actor.id, now + lease)
        if (isSpawn) await spawns.seen(db, actor.id, now)
      })
    return result
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    if (!result.ok) return result
    return ok(result.value, {
      ...result,
      warnings: [...(result.warnings ?? []), `claim not renewed: ${error.message}`],
    })
  }
}

const refuseEstimate = async (
  operation: Operation,
  input: unknown,
  connection: Connection,
): Promise<Failure> => {
  const scope = await connection.store().then(tasks.scope)
  return fail('estimate.refused', { ...scope, fix: estimateFix(operation, input) })
}
