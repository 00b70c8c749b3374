import { ok, Refused } from '../kernel/result.ts'
import type { Project } from '../operation/context.ts'
import { writer } from '../operation/write.ts'
import { admission } from '../project/known-database.ts'
import type { TrustChange } from '../project/trust-records.ts'
import { chosenStore, openStore } from '../store/open/choose-store.ts'

/** If the store refuses with one of these codes, there is no audit log to append to yet, so there is no warning. */
const withoutData = ['store.missing', 'store.empty', 'project.unnamed', 'database.untrusted']

/**
 * Appends a change of trust to the audit log. Does not refuse the change if the store cannot be opened, because a
 * person can trust items before the project has a store. If the project should already have a store, returns a warning.
 */
export const auditTrust = async (
  project: Project,
  operation: string,
  { added, removed }: TrustChange,
): Promise<string[]> => {
  const { host, folder, config } = project
  const admit = admission(project)
  if (added.length + removed.length === 0) return []
  try {
    const store = await openStore(chosenStore(host, folder, config), { now: host.now, wait: 'block', admit })
    try {
      await writer(
        { ...project, store },
        operation,
      )(async (tx) => {
        await tx.record({
          ...(removed.length > 0 && { before: { trusted: removed } }),
          ...(added.length > 0 && { after: { trusted: added } }),
        })
        return ok(null)
      })
    } finally {
      await store.close()
    }
    return []
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return withoutData.includes(error.failure.code) ? [] : [`not in the audit log: ${error.message}`]
  }
}
