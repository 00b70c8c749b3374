import { qualityTools, type Tool } from '../kernel/config-words.ts'
import type { Context } from '../operation/context.ts'
import {
  isKnown,
  key,
  stateOf,
  storedTextKey,
  type Trustable,
  trustedHashes,
} from '../project/trust-records.ts'
import { changeSince, type Pin, type Pins } from './pin.ts'
import {
  commandsIn,
  detectedKey,
  isRemovalAccepted,
  type ProjectCommand,
  removedConfigured,
} from './project-commands.ts'

export type AllowedCommand =
  | { state: 'runs'; words: string[]; exclusive?: true; warnings: string[] }
  /** The project has no command for the tool, and had none when the task was spawned. */
  | { state: 'none' }
  /**
   * `item` is what a person has to trust before the command can run. It is missing if trust cannot help: the command
   * was removed, or `make` would skip the target of the command.
   */
  | { state: 'refused'; why: string; personCanAccept: boolean; item?: Trustable }

/**
 * Returns a function that finds the command of a tool in a folder. The function refuses a command that may have
 * changed since the task was spawned, unless a person trusted the change.
 */
export const allowedCommands = async (
  context: Context,
  folder: string,
  pins: Pins | undefined,
): Promise<(tool: Tool) => AllowedCommand> => {
  const found = await commandsIn(context, folder)
  const removed = removedConfigured(context)
  return (tool) => {
    const now = found[tool]
    const why = removed(tool)
    // Refuse if the command that a person configured for this tool was removed. A detected command must not take
    // its place.
    if (why && !now?.configured) return { ...refusedCommand(why), personCanAccept: true }
    if (!now && isRemovalAccepted(context, found, tool, pins?.[tool])) return { state: 'none' }
    return (now && refuseOwnPrograms(context, tool, now)) ?? judgeCommand(context, tool, now, pins)
  }
}

/**
 * Refuses a command if PATH finds its program inside the project, because an agent could have written that file. A
 * person can trust the program, for example the Python of an environment `.venv`.
 */
const refuseOwnPrograms = (
  context: Context,
  tool: Tool,
  { programs }: ProjectCommand,
): AllowedCommand | undefined => {
  const state = stateOf(context)
  const refused = programs.find(({ item }) => state(item) !== 'trusted')
  if (!refused) return undefined
  const { name, path, inEnvironment, item } = refused
  const trust = state(item) === 'changed' ? 'has changed since it was trusted' : 'is not trusted'
  if (inEnvironment)
    return refusedCommand(
      `${name} is a program of an environment inside the project, which ${trust}: ${item.what}; only a person can accept it`,
      item,
    )
  const folder = path.slice(0, path.lastIndexOf('/'))
  return refusedCommand(
    `${name} resolves to ${path}, which is part of the project and ${trust}; take ${folder} off PATH, or ask a person to accept it or to choose another command: cleo config set commands.${tool} "…"`,
    item,
  )
}

const judgeCommand = (
  context: Context,
  tool: Tool,
  now: ProjectCommand | undefined,
  pins: Pins | undefined,
): AllowedCommand => {
  const pin = pins?.[tool]
  if (!now) return removedCommand(context, tool, pin)
  if (now.skipped) return refusedCommand(whySkipped(now, now.skipped))
  const runs = {
    state: 'runs' as const,
    words: now.words,
    ...(now.exclusive && { exclusive: now.exclusive }),
    warnings: [],
  }
  if (now.configured) {
    const state = stateOf(context)(now.configured)
    const why = state === 'new' ? 'is not trusted' : 'has changed since it was trusted'
    if (state !== 'trusted')
      return refusedCommand(`the command for ${tool} ${why}: ${now.configured.what}`, now.configured)
  }
  const state = stateOf(context)(now.item)
  if (state === 'trusted' && !isEarlierVersion(context, now, pin)) return runs
  if (!now.configured && !isKnown(context))
    return refusedCommand(
      `the command for ${tool} came with the project and is not trusted: ${now.item.what}`,
      now.item,
    )
  // If the configured words differ from the pinned words, a person chose the configured words after the task was
  // spawned. So the pin does not apply.
  const isChosen = now.configured !== undefined && pin?.words.join(' ') !== now.words.join(' ')
  if (pin && !isChosen) {
    const change = changeSince(pin, { words: now.words, ...now.pinned })
    if (change !== undefined) return changedCommand(tool, change, now.item)
    if (state !== 'changed' || descendsFromTrust(context, now, pin)) return runs
  }
  if (state === 'changed')
    return changedCommand(tool, changeOf(recordedWords(context, now), now.item.what), now.item)
  const instead = pins && !now.configured && pinnedInstead(tool, pins)
  if (instead)
    return refusedCommand(
      `the command for ${tool} (${now.item.what}) was added after the task was spawned, although the project had tool:${instead} for the same gate; a person can accept it`,
      now.item,
    )
  // Allow the command, because there was no earlier command that an agent could have weakened.
  const late =
    pins && !now.configured
      ? [`the command for ${tool} was added after the task was spawned: ${now.item.what}`]
      : []
  return { ...runs, warnings: late }
}

export const whySkipped = ({ words }: ProjectCommand, target: string): string =>
  `${words.join(' ')} does nothing: the folder has a file or folder ${target}, so make skips this target until the Makefile has the line ".PHONY: ${target}"`

/** Returns another pinned tool that proves the same gate. A command that was added later must not replace that tool. */
export const pinnedInstead = (tool: Tool, pins: Pins): Tool | undefined =>
  qualityTools.includes(tool) ? qualityTools.find((other) => other !== tool && pins[other]) : undefined

/**
 * Whether a command went back to an older version after the spawn. The current version is older if a person trusted it
 * before they trusted the pinned version.
 */
const isEarlierVersion = (
  context: Context,
  { item, pinned }: ProjectCommand,
  pin: Pin | undefined,
): boolean => {
  if (!pin || pin.sha256 === pinned.sha256) return false
  const versions = trustedHashes(context)(key(item))?.split(' ') ?? []
  const at = (hash: string | undefined) => versions.indexOf(hash ?? '')
  return Math.max(at(pin.sha256), at(pin.trusted)) > at(item.sha256)
}

const removedCommand = (context: Context, tool: Tool, pin: Pin | undefined): AllowedCommand => {
  const hashes = trustedHashes(context)
  const own = detectedKey(tool)
  const was = pin?.what ?? (hashes(own) && (hashes(storedTextKey(own)) ?? 'another one'))
  if (!was) return { state: 'none' }
  const refused = refusedCommand(`the command for ${tool} was removed; it was ${was}`)
  return { ...refused, personCanAccept: true }
}

/**
 * Whether the pin was made from a version that a person trusted. The pin may differ from that version, because packages
 * of a workspace may have been added since.
 */
const descendsFromTrust = (context: Context, { item }: ProjectCommand, { trusted, sha256 }: Pin): boolean => {
  const accepted = trustedHashes(context)(key(item))?.split(' ') ?? []
  return accepted.includes(sha256) || (trusted !== undefined && accepted.includes(trusted))
}

const recordedWords = (context: Context, { item }: ProjectCommand): string =>
  trustedHashes(context)(storedTextKey(key(item))) ?? 'another one'

const changeOf = (was: string, is: string): string =>
  was === is ? `"${is}" depends on files that have changed` : `it was "${was}" and is now "${is}"`

const changedCommand = (tool: Tool, change: string, item: Trustable): AllowedCommand =>
  refusedCommand(`the command for ${tool} was changed: ${change}; a person can accept the change`, item)

const refusedCommand = (why: string, item?: Trustable): Extract<AllowedCommand, { state: 'refused' }> => ({
  state: 'refused',
  why,
  personCanAccept: item !== undefined,
  ...(item && { item }),
})
