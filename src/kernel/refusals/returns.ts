import { printable } from '../print/printable.ts'
import { refusal } from './refusal.ts'

/** Refusals because a subagent's return line cannot be accepted. */
export const returns = () => ({
  'return.invalid': refusal<{ message: string; task?: string; lines?: readonly string[] }>({
    exit: 61,
    retryable: true,
    message: ({ message }) =>
      message === ''
        ? 'The subagent returned an empty message.'
        : `"${shown(message)}" is not one of the allowed return lines.`,
    fix: ({ task }) => task && `cleo orchestrate respawn ${task} --ref`,
    alternatives: ({ lines = [] }) => [...lines, 'need skill: <name>', 'need level: <name> L2'],
  }),
  'return.status': refusal<{ task: string; spawn: string; said: string; entry: string; status: string }>({
    exit: 61,
    retryable: true,
    message: ({ spawn, said, entry, status }) =>
      `${spawn} returned ${said}, but its entry ${entry} has status ${status}.`,
    fix: ({ task }) => `cleo orchestrate respawn ${task} --ref`,
  }),
})

const mostShown = 80

/** The beginning of the message, as one line of visible characters. */
const shown = (message: string): string => {
  const line = printable([...message.slice(0, 2 * mostShown).toWellFormed()].slice(0, mostShown).join(''))
  const cut = [...line].slice(0, mostShown).join('')
  return cut.length < line.length || message.length > 2 * mostShown ? `${cut}…` : cut
}
