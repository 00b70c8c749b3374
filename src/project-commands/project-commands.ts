import { sha256 } from '../host/sha256.ts'
import { type Commands, type Tool, toolNames } from '../kernel/config-words.ts'
import { isBelow, resolvePath } from '../kernel/path.ts'
import type { Project } from '../operation/context.ts'
import { workFolder } from '../output/work-folders.ts'
import { commandItem, key, stateOf, type Trustable } from '../project/trust-records.ts'
import { commandFiles, commandSource, makeWouldSkip } from './command-source.ts'
import { buildFiles, detectCommands } from './detect-commands.ts'

/** A command of the project; `item` is what a person trusts with `cleo trust`. */
export interface ProjectCommand {
  words: string[]
  from: 'config' | 'build files'
  item: Trustable
  /** Hashes, by path, of the files that decide what a detected command does; an empty hash for a missing file. */
  files: Readonly<Record<string, string>>
  /** True if the command would do nothing, because a file has the name of the make target. */
  doesNothing: boolean
}

/** A command as it was when a task was spawned. */
export interface Pin {
  words: string[]
  what: string
  sha256: string
  files?: Readonly<Record<string, string>>
}
export type Pins = Partial<Record<Tool, Pin>>

interface SpawnCommands {
  commands: Commands
  pins: Pins
  warnings: string[]
}

/** Returns the project's commands for a folder: from the configuration, else from the build files in the folder. */
export const commandsIn = async (
  project: Project,
  folder: string,
): Promise<Partial<Record<Tool, ProjectCommand>>> => {
  const { host, config } = project
  const { commands, text } = await detectIn(project, folder)
  const exists = (name: string) => host.files.kind(`${folder}/${name}`) !== undefined
  const found: Partial<Record<Tool, ProjectCommand>> = {}
  for (const tool of new Set([...(Object.keys(commands) as Tool[]), ...toolNames])) {
    const configured = config.commands?.[tool]
    const detected = commands[tool]
    const words = configured ?? detected
    if (!words) continue
    const source = configured ? [] : commandSource(words, text)
    const files = configured ? {} : filesBehind(project, folder, words)
    found[tool] = {
      words,
      from: configured ? 'config' : 'build files',
      item: configured
        ? commandItem(host, folder, tool, configured)
        : detectedItem(tool, words, source, files),
      files,
      doesNothing: makeWouldSkip(words, text('Makefile'), exists),
    }
  }
  return found
}

/** Returns the commands detected in the caller's work folder, for a person to trust. */
export const detectedItems = async (project: Project): Promise<Trustable[]> => {
  const found = await commandsIn(project, await workFolder(project))
  return toolNames.flatMap((tool) => (found[tool]?.from === 'build files' ? [found[tool].item] : []))
}

export const detectedKey = (tool: Tool): string => key({ kind: 'command', name: `detected ${tool}` })

type Text = (file: string) => string | undefined

const detectedItem = (
  tool: Tool,
  words: readonly string[],
  source: readonly string[],
  files: ProjectCommand['files'],
): Trustable => ({
  kind: 'command',
  name: `detected ${tool}`,
  what: [words.join(' '), ...source].join(' → '),
  sha256: sha256(JSON.stringify([words, source, files])),
  remembered: true,
})

const filesBehind = (
  { host }: Project,
  folder: string,
  words: readonly string[],
): ProjectCommand['files'] => {
  const text = (file: string): string | undefined => {
    const path = resolvePath(folder, file)
    return isBelow(folder, path) && host.files.kind(path) === 'file' ? host.files.read(path) : undefined
  }
  const hashed = (file: string) => {
    const content = text(file)
    return [file, content === undefined ? '' : sha256(content)]
  }
  return Object.fromEntries(commandFiles(words[0], text).map(hashed))
}

/**
 * Returns the commands for a prompt. A configured command is left out until a person has trusted it. `before` holds
 * the pins of the task's last spawn, so that a respawn does not accept a command that an agent changed.
 */
export const commandsForSpawn = async (
  project: Project,
  folder: string,
  before: Pins = {},
): Promise<SpawnCommands> => {
  const found = await commandsIn(project, folder)
  const state = stateOf(project)
  const commands: Commands = {}
  const pins: Pins = { ...before }
  const warnings: string[] = []
  for (const [tool, own] of Object.entries(found) as [Tool, ProjectCommand][]) {
    const trust = state(own.item)
    if (own.from === 'config' && trust !== 'trusted') {
      warnings.push(`the command for ${tool} is not trusted and is left out; see: cleo trust`)
      continue
    }
    commands[tool] = own.words
    if (trust === 'changed')
      warnings.push(`the command for ${tool} has changed since it was trusted; see: cleo trust`)
    else if (trust === 'trusted' || !before[tool]) pins[tool] = pinOf(own)
  }
  return { commands, pins, warnings }
}

const pinOf = ({ words, item, files }: ProjectCommand): Pin => ({
  words,
  what: item.what,
  sha256: item.sha256!,
  files,
})

const detectIn = async ({ host }: Project, folder: string): Promise<{ commands: Commands; text: Text }> => {
  const names = host.files.list(folder)
  const texts = new Map<string, string>()
  for (const name of buildFiles) {
    if (!names.includes(name) || host.files.kind(`${folder}/${name}`) !== 'file') continue
    const text = await host.files.load(`${folder}/${name}`)
    if (text !== undefined) texts.set(name, text)
  }
  return { commands: detectCommands((name) => texts.get(name), names), text: (name) => texts.get(name) }
}
