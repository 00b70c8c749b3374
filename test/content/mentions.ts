import { findCommand } from '../../src/operation/commands.ts'
import { parseArgs } from '../../src/surface/cli/args.ts'
import { shellWords } from '../support/shell-words.ts'

const commandTokens: Readonly<Record<string, string>> = {
  TASK_SHOW_CMD: 'cleo show',
  TASK_FOCUS_CMD: 'cleo focus set',
  TASK_COMPLETE_CMD: 'cleo complete',
  TASK_LINK_CMD: 'cleo research link',
  TASK_ID: 'T002',
  EPIC_ID: 'T001',
}

/** Returns every command line in the code spans and code blocks of a text, with `{{NAME}}` replaced. */
export const mentions = (text: string): string[] => {
  const filled = text.replace(/\{\{(\w+)\}\}/g, (token, name: string) => commandTokens[name] ?? token)
  const blocks = [...filled.matchAll(/^```.*\n([\s\S]*?)^```/gm)].flatMap(([, code]) => code!.split('\n'))
  const spans = [...filled.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`]+)`/g)].map(([, code]) => code!)
  const lines = [...blocks, ...spans].map((line) => line.replace(/\s+/g, ' ').trim())
  return [...new Set(lines.filter((line) => line.startsWith('cleo ')))]
}

/** Returns what is wrong with a command that the content names; undefined if it can be typed. */
export const complaint = (line: string): string | undefined => {
  const found = findCommand(argumentsOf(line))
  if (!found.command) return 'there is no such command'
  const { problems } = parseArgs(found.rest, found.command)
  return problems.find(({ message }) => !/ is missing[.:]/.test(message))?.message
}

/** Returns the arguments to run a mentioned command with. Adds samples for required arguments that it lacks. */
export const runnable = (line: string): string[] => {
  const { command, rest } = findCommand(argumentsOf(line))
  if (!command) throw new Error(`${line}: there is no such command`)
  const { input } = parseArgs(rest, command)
  const open = command.flags.filter(({ required, key }) => required && input[key] === undefined)
  return [
    ...argumentsOf(line),
    ...open.flatMap(({ key, name, at }) => (at === undefined ? [name, sample(key)] : [sample(key)])),
  ]
}

/** Rows for a command that reads a batch. */
export const rows = '[{"title":"Form","parent":"T001"}]'

const sample = (key: string): string => (key === 'epic' ? 'T001' : key === 'id' ? 'T002' : 'some words')

const argumentsOf = (line: string): string[] => shellWords(line).slice(1)
