import type { Samples } from '../error-page.ts'

export const returns: Samples = {
  'spawn.received': { id: 'T012.1', task: 'T012', by: 'T012.2' },
}
