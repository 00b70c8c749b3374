import { expect, test } from 'vitest'
import { isOutside } from '../../src/client-hooks/write-scope.ts'
import { nodeHost } from '../../src/host/node-host.ts'

test('[PROV-2] in a shared checkout an agent may write to the folders of .cleo that its prompt names, and to no others', () => {
  const scope = {
    otherwise: 'deny' as const,
    root: '/home/ada/shop',
    allowed: ['/home/ada/shop', '/home/ada/shop/.cleo/rcasd/T001', '/home/ada/shop/.cleo/test-runs'],
  }
  const outside = (path: string) => isOutside(nodeHost(), scope, `/home/ada/shop/${path}`)
  expect(['src/a.ts', '.cleo/rcasd/T001/plan.md', '.cleo/test-runs/1.json'].map(outside)).toEqual([
    ...[false, false, false],
  ])
  expect(['.cleo/config.json', '.git/config', '.cleo/rcasd/T002/plan.md'].map(outside)).toEqual([
    ...[true, true, true],
  ])
})
