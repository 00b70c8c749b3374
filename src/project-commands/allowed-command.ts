import { isInFolders, which } from '../host/programs.ts'
import type { Tool } from '../kernel/config-words.ts'
import type { Context } from '../operation/context.ts'
import { stateOf, storedTextKey, trustedHashes } from '../project/trust-records.ts'
import { commandsIn, detectedKey, type Pin, type Pins, type ProjectCommand } from './project-commands.ts'

export type AllowedCommand =
  | { state: 'runs'; words: string[]; warnings: string[] }
  /** The project has no command for the tool, and had none when the task was spawned. */
  | { state: 'none' }
  | { state: 'refused'; why: string; personCanAccept: boolean }

/** Finds the command that a tool may run in a folder: one that a person trusted, or one unchanged since the spawn. */
export const allowedCommands = async (
  context: Context,
  folder: string,
  pins: Pins | undefined,
): Promise<(tool: Tool) => AllowedCommand> => {
  const found = await commandsIn(context, folder)
  return (tool) =>
    refuseProjectProgram(context, folder, found[tool]) ?? judgeCommand(context, tool, found[tool], pins)
}

/** Refuses a bare program name that PATH resolves to a file in the project: an agent could have written that file. */
const refuseProjectProgram = (
  { host, root }: Context,
  folder: string,
  now: ProjectCommand | undefined,
): AllowedCommand | undefined => {
  const program = now?.words[0]
  if (program === undefined || program.includes('/')) return undefined
  const path = which(host, program, folder)
  return path !== undefined && isInFolders(host, path, [root, folder])
    ? refusedCommand(`${program} resolves to ${path}, which is part of the project`, false)
    : undefined
}

const judgeCommand = (
  context: Context,
  tool: Tool,
  now: ProjectCommand | undefined,
  pins: Pins | undefined,
): AllowedCommand => {
  const pin = pins?.[tool]
  if (!now) return removedCommand(context, tool, pin)
  if (now.doesNothing)
    return refusedCommand(
      `${now.words.join(' ')} does nothing: the folder has a file ${now.words.at(-1)}, and the Makefile does not list it as .PHONY`,
      false,
    )
  const state = stateOf(context)(now.item)
  const runs = { state: 'runs' as const, words: now.words, warnings: [] }
  if (state === 'trusted') return runs
  if (now.from === 'config') {
    const why = state === 'new' ? 'is not trusted' : 'has changed since it was trusted'
    return refusedCommand(`the command for ${tool} ${why}: ${now.item.what}`)
  }
  if (pin) return pin.sha256 === now.item.sha256 ? runs : changedCommand(tool, pin.what, now, pin.files)
  if (state === 'changed') return changedCommand(tool, recordedWords(context, tool), now)
  // Allow the command: there was no earlier command that an agent could have weakened.
  const late = pins ? [`the command for ${tool} was added after the task was spawned: ${now.item.what}`] : []
  return { ...runs, warnings: late }
}

const removedCommand = (context: Context, tool: Tool, pin: Pin | undefined): AllowedCommand => {
  const was = pin?.what ?? (trustedHashes(context)(detectedKey(tool)) && recordedWords(context, tool))
  return was ? refusedCommand(`the command for ${tool} was removed; it was ${was}`) : { state: 'none' }
}

const recordedWords = (context: Context, tool: Tool): string =>
  trustedHashes(context)(storedTextKey(detectedKey(tool))) ?? 'another one'

const changedCommand = (
  tool: Tool,
  was: string,
  { item: { what: is }, files }: ProjectCommand,
  then = {},
): AllowedCommand => {
  const before: ProjectCommand['files'] = then
  const differing = Object.keys(files).filter((path) => (before[path] ?? '') !== files[path])
  const change =
    was === is
      ? `"${is}" depends on ${differing.join(', ') || 'files'}, which changed`
      : `it was "${was}" and is now "${is}"`
  return refusedCommand(`the command for ${tool} was changed: ${change}; a person can accept the change`)
}

const refusedCommand = (why: string, personCanAccept = true): AllowedCommand => ({
  state: 'refused',
  why,
  personCanAccept,
})
