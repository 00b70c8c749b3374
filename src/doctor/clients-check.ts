import { clientFacts } from '../clients/client-facts.ts'
import { hasHooks, wasHookCalled } from '../clients/installed.ts'
import { readRecord, recordsIn } from '../clients/setup-record.ts'
import { clientNames } from '../kernel/client-names.ts'
import { outerFolder } from '../project/outer-backups.ts'
import type { StoreCheck } from './check.ts'
import { manualFinding } from './doctor-finding.ts'

export const clientHooks: StoreCheck = {
  id: 'client-hooks',
  needs: 'store',
  question: 'Has every agent client that was set up called its hooks?',
  async find(context) {
    const { host, store } = context
    const project = store.project ?? context.written.project
    const folder = project && outerFolder(host, project)
    if (!folder) return []
    const { clients } = readRecord(host, recordsIn(folder))
    return clientNames.flatMap((name) => {
      const since = clients[name]
      if (since === undefined || !hasHooks(name) || wasHookCalled(host, name, since)) return []
      const { title, trust } = clientFacts[name]
      return [
        manualFinding({
          kind: 'file',
          severity: 'warning',
          what: `${title} has called none of its hooks since cleo setup installed them`,
          why: 'without hooks, CLEO checks the work only at cleo receive',
          advice: trust
            ? `${trust[0]!.toUpperCase()}${trust.slice(1)}`
            : `Start ${title} in this project once`,
          fix: `cleo setup ${name} --check`,
        }),
      ]
    })
  },
}
