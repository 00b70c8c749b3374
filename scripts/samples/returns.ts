import type { Samples } from '../error-page.ts'

export const returns: Samples = {
  'return.status': {
    task: 'T012',
    spawn: 'T012.1',
    said: 'complete',
    entry: 'T012-sign-up-form',
    status: 'partial',
  },
}
