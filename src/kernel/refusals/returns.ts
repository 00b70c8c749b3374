import { printable } from '../printable.ts'
import { entry } from './entry.ts'

/** What came back from a subagent cannot be taken. */
export const returns = () => ({
  'return.invalid': entry<{ message: string; task?: string; lines?: readonly string[] }>({
    exit: 61,
    http: 422,
    retryable: true,
    message: ({ message }) =>
      message === '' ? 'Nothing came back.' : `"${shown(message)}" is not a line a subagent may return here.`,
    fix: ({ task }) => task && `cleo orchestrate respawn ${task} --ref`,
    alternatives: ({ lines = [] }) => [...lines, 'need skill: <name>', 'need level: <name> L2'],
  }),
  'return.status': entry<{ task: string; spawn: string; said: string; entry: string; status: string }>({
    exit: 61,
    http: 422,
    retryable: true,
    message: ({ spawn, said, entry, status }) =>
      `${spawn} said ${said}, but its entry ${entry} says ${status}.`,
    fix: ({ task }) => `cleo orchestrate respawn ${task} --ref`,
  }),
})

const mostShown = 80

/** The beginning of it, as one line of visible characters. */
const shown = (message: string): string => {
  const line = printable([...message.slice(0, 2 * mostShown).toWellFormed()].slice(0, mostShown).join(''))
  const cut = [...line].slice(0, mostShown).join('')
  return cut.length < line.length || message.length > 2 * mostShown ? `${cut}…` : cut
}
