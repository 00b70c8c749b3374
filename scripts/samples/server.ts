import type { Samples } from '../error-page.ts'

export const served: Samples = {
  'operation.unknown': { given: 'task.show', near: ['tasks.show'] },
  'operation.kind': { operation: 'tasks.add', kind: 'mutate' },
  'commands.outside': { operation: 'orchestrate.spawn', what: 'commands', command: 'cleo spawn T012 --ref' },
  'call.cancelled': { command: 'npm' },
  'program.replaced': {},
}
