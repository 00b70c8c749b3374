import { everything, itemsOf } from '../trust/items.ts'
import type { FileCheck } from './check.ts'
import { named, open } from './finding.ts'

export const trust: FileCheck = {
  id: 'trust',
  needs: 'files',
  asks: 'Is everything a person said yes to still what they said yes to?',
  async look(patient) {
    const items = itemsOf(patient, await everything(patient))
    const changed = items
      .filter(({ state }) => state === 'changed')
      .map(({ kind, name }) => `${kind} ${name}`)
    if (changed.length === 0) return []
    return [
      open({
        kind: 'config',
        severity: 'warning',
        what: `changed since it was trusted: ${named(changed)}`,
        why: 'it does not act until a person has looked at it again',
        fix: 'cleo trust status',
      }),
    ]
  },
}
