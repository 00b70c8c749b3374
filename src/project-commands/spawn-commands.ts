import { trustAdvice } from '../kernel/actor.ts'
import { type Commands, type Tool, toolNames } from '../kernel/config-words.ts'
import type { Project } from '../operation/context.ts'
import {
  isKnown,
  key,
  stateOf,
  storedTextKey,
  type Trustable,
  trustedHashes,
} from '../project/trust-records.ts'
import { pinnedInstead, whySkipped } from './allowed-command.ts'
import { changeSince, type Pin, type Pins } from './pin.ts'
import { commandsIn, isRemovalAccepted, type ProjectCommand, removedConfigured } from './project-commands.ts'

/** A command that differs from its last pinned or trusted version. No person has accepted the change. */
export interface CommandChange {
  tool: Tool
  /** Why the change is not accepted, as a sentence for a person. */
  why: string
  /** The item that a person has to trust; undefined if the command was removed. */
  item?: Trustable
}

export interface SpawnCommands {
  commands: Commands
  pins: Pins
  changes: CommandChange[]
  warnings: string[]
}

/**
 * Returns the commands for a prompt. Leaves out a configured command until a person has trusted it. In a clone,
 * leaves out every command until a person has trusted it. `before` holds the pins of the project's last spawn. If a
 * command has changed since that spawn, it keeps its earlier pin until a person accepts the change. So no agent can
 * change a command for later tasks.
 */
export const commandsForSpawn = async (
  project: Project,
  folder: string,
  before: Pins = {},
): Promise<SpawnCommands> => {
  const found = await commandsIn(project, folder)
  const known = isKnown(project)
  const spawn: SpawnCommands = { commands: {}, pins: { ...before }, changes: [], warnings: [] }
  const removed = removedConfigured(project)
  for (const tool of toolNames) {
    const why = removed(tool)
    if (!why || found[tool]?.configured) continue
    delete found[tool]
    spawn.changes.push({ tool, why })
  }
  for (const tool of Object.keys(before) as Tool[]) {
    if (found[tool] || removed(tool)) continue
    if (isRemovalAccepted(project, found, tool, before[tool])) delete spawn.pins[tool]
    else
      spawn.changes.push({ tool, why: `the command for ${tool} was removed; it was ${before[tool]!.what}` })
  }
  for (const [tool, own] of Object.entries(found) as [Tool, ProjectCommand][]) {
    const needed = own.configured ?? (known ? undefined : own.item)
    if (needed && stateOf(project)(needed) !== 'trusted') {
      spawn.warnings.push(`the command for ${tool} is not trusted and is left out; ${trustAdvice(project)}`)
      continue
    }
    spawn.commands[tool] = own.words
    if (own.skipped) spawn.warnings.push(whySkipped(own, own.skipped))
    const pinned = pinFor(project, tool, own, before)
    if ('pin' in pinned)
      spawn.pins[tool] = {
        ...pinned.pin,
        at: project.host.now(),
        ...(own.configured && { configured: true }),
      }
    else spawn.changes.push({ tool, why: pinned.why, item: own.item })
  }
  spawn.warnings.push(
    ...spawn.changes.map(({ why }) => `${why}; evidence from it is refused; ${trustAdvice(project)}`),
  )
  return spawn
}

const pinFor = (
  project: Project,
  tool: Tool,
  own: ProjectCommand,
  earlier: Pins,
): { pin: Pin } | { why: string } => {
  const { words, pinned, item } = own
  const now = { words, ...pinned }
  const before = earlier[tool]
  const hashes = trustedHashes(project)
  const trusted = hashes(key(item))
  const state = stateOf(project)(item)
  if (state === 'trusted') return { pin: { ...now, trusted: pinned.sha256 } }
  // If a person has configured a different command, the pin of the earlier command does not apply.
  const isChosen = own.configured !== undefined && before?.words.join(' ') !== words.join(' ')
  if (!before || isChosen) {
    const instead = own.configured ? undefined : pinnedInstead(tool, earlier)
    if (state === 'new' && instead)
      return {
        why: `the command for ${tool} (${item.what}) is new, although the project had tool:${instead} for the same gate`,
      }
    if (state === 'new') return { pin: now }
    const was = hashes(storedTextKey(key(item)))
    return { why: `the command for ${tool} has changed since it was trusted${difference(was, item.what)}` }
  }
  const change = changeSince(before, now)
  if (change !== undefined) return { why: `the command for ${tool} was changed: ${change}` }
  // Packages of a workspace may have been added after a person trusted the command. Everything else must be as it
  // was when the person trusted the command.
  const accepted = trusted?.split(' ')
  const from = [before.trusted, before.sha256].find((hash) => hash !== undefined && accepted?.includes(hash))
  if (accepted && from === undefined)
    return { why: `the command for ${tool} has changed since it was trusted` }
  return { pin: { ...now, ...(from && { trusted: from }) } }
}

const difference = (was: string | undefined, is: string): string =>
  was === undefined || was === is ? '' : `: it was "${was}" and is now "${is}"`
