import { isOwn, which } from '../host/which.ts'
import type { Tool } from '../kernel/config-words.ts'
import type { Context } from '../operation/context.ts'
import { recordedOf, stateOf, wordsKey } from '../project/trust-records.ts'
import { commandsIn, detectedKey, type OwnCommand, type Pin, type Pins } from './own-commands.ts'

export type Allowed =
  | { state: 'runs'; words: string[]; warnings: string[] }
  /** The project has no such command, and had none. */
  | { state: 'none' }
  | { state: 'refused'; why: string; personCanAccept: boolean }

/** What a tool stands for in a folder, as far as somebody has said yes to it or nobody has touched it since. */
export const allowedCommands = async (
  context: Context,
  folder: string,
  pins: Pins | undefined,
): Promise<(tool: Tool) => Allowed> => {
  const found = await commandsIn(context, folder)
  return (tool) => byOwnProgram(context, folder, found[tool]) ?? judge(context, tool, found[tool], pins)
}

/** A name stands for what PATH has of it: not for a file that came with the work. */
const byOwnProgram = (
  { host, root }: Context,
  folder: string,
  now: OwnCommand | undefined,
): Allowed | undefined => {
  const program = now?.words[0]
  if (program === undefined || program.includes('/')) return undefined
  const path = which(host, program, folder)
  return path !== undefined && isOwn(host, path, [root, folder])
    ? refused(`${program} is ${path} by PATH, which is part of the project`, false)
    : undefined
}

const judge = (
  context: Context,
  tool: Tool,
  now: OwnCommand | undefined,
  pins: Pins | undefined,
): Allowed => {
  const pin = pins?.[tool]
  if (!now) return gone(context, tool, pin)
  if (now.isIdle)
    return refused(
      `${now.words.join(' ')} does nothing: there is a ${now.words.at(-1)} in the folder, and the Makefile does not say .PHONY`,
      false,
    )
  const state = stateOf(context)(now.item)
  const runs = { state: 'runs' as const, words: now.words, warnings: [] }
  if (state === 'trusted') return runs
  if (now.from === 'config') {
    const why = state === 'new' ? 'is not trusted' : 'has changed since it was trusted'
    return refused(`the command for ${tool} ${why}: ${now.item.what}`)
  }
  if (pin) return pin.sha256 === now.item.sha256 ? runs : changed(tool, pin.what, now, pin.files)
  if (state === 'changed') return changed(tool, recordedWords(context, tool), now)
  // Nothing came before it that it could have weakened.
  const late = pins ? [`the command for ${tool} came after the task was handed out: ${now.item.what}`] : []
  return { ...runs, warnings: late }
}

const gone = (context: Context, tool: Tool, pin: Pin | undefined): Allowed => {
  const was = pin?.what ?? (recordedOf(context)(detectedKey(tool)) && recordedWords(context, tool))
  return was ? refused(`the command for ${tool} is gone; it was ${was}`) : { state: 'none' }
}

const recordedWords = (context: Context, tool: Tool): string =>
  recordedOf(context)(wordsKey(detectedKey(tool))) ?? 'another one'

const changed = (tool: Tool, was: string, { item: { what: is }, files }: OwnCommand, then = {}): Allowed => {
  const before: OwnCommand['files'] = then
  const differing = Object.keys(files).filter((path) => (before[path] ?? '') !== files[path])
  const change =
    was === is
      ? `"${is}" runs by ${differing.join(', ') || 'files'}, which changed`
      : `it was "${was}" and is "${is}"`
  return refused(`the command for ${tool} was changed: ${change}; a person can accept that`)
}

const refused = (why: string, personCanAccept = true): Allowed => ({ state: 'refused', why, personCanAccept })
