/** Code that the types must accept. It is never run, only checked by `tsc`. */
import { openProject } from '../../src/index.ts'

/** A library caller can handle every failure of the store, the connection and the project by its code. */
export const handleStore = async (): Promise<string> => {
  const answer = await openProject().call('tasks.list', {})
  if (answer.ok) return String(answer.value.tasks.length)
  switch (answer.code) {
    case 'store.missing':
    case 'store.foreign':
    case 'store.corrupt':
    case 'store.newer':
    case 'store.unsafe':
    case 'store.readonly':
    case 'store.full':
    case 'store.busy':
    case 'store.denied':
    case 'store.unreachable':
    case 'store.unsure':
    case 'store.outdated':
    case 'store.empty':
    case 'store.moved':
    case 'project.missing':
    case 'project.unnamed':
    case 'config.invalid':
      return answer.message
    default:
      return answer.code
  }
}

/** A caller can handle an operation's own codes in addition to the common ones. */
export const handleOwnCode = async (): Promise<boolean> => {
  const answer = await openProject().call('tasks.complete', { id: 'T001' })
  return !answer.ok && (answer.code === 'task.not_found' || answer.code === 'store.unreachable')
}
