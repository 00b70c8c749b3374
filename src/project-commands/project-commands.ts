import { sha256 } from '../host/sha256.ts'
import { type Commands, type Tool, toolNames } from '../kernel/config-words.ts'
import type { Project } from '../operation/context.ts'
import { workFolder } from '../output/work-folders.ts'
import { removedSettings } from '../project/settings.ts'
import {
  commandItem,
  key,
  stateOf,
  type Trustable,
  trustedHashes,
  wasTrustedAfter,
} from '../project/trust-records.ts'
import { isBuildFile } from './build-file-names.ts'
import type { DecidingFiles } from './deciding-files.ts'
import type { OwnProgram } from './own-programs.ts'
import { type Pin, sameWords } from './pin.ts'

export interface ProjectCommand {
  words: string[]
  /**
   * Set only for a command from the configuration: the item that a person must trust. The item covers the words and
   * the files that they name.
   */
  configured?: Trustable
  /** True if the command never runs at the same time as another exclusive command on this machine. */
  exclusive?: true
  /**
   * The item for the command and for the files that decide what the command does. If this item changes after the
   * spawn, the command is refused until a person trusts the item.
   */
  item: Trustable
  pinned: { what: string; sha256: string; files: DecidingFiles }
  programs: OwnProgram[]
  /** Programs of the virtual environments in the project, such as `.venv`, whether or not they are active. */
  environment: () => Trustable[]
  /** The name of the make target. Set only if make would skip this target because a file or folder has its name. */
  skipped?: string
}

/** Leaves out tools that have no command. Reads only the files needed to detect commands. */
export const commandWords = async ({ host, config }: Project, folder: string): Promise<Commands> => {
  const configured: Commands = Object.fromEntries(
    Object.entries(config.commands ?? {}).flatMap(([tool, command]) =>
      command ? [[tool, command.run]] : [],
    ),
  )
  if (!host.files.list(folder).some(isBuildFile)) return configured
  const { detectCommands } = await import('./detect-commands.ts')
  const { projectFolder } = await import('./project-folder.ts')
  return { ...detectCommands(projectFolder(host, folder)), ...configured }
}

/** Returns the project's commands for a folder, from the configuration or else from the build files in the folder. */
export const commandsIn = async (
  project: Project,
  folder: string,
): Promise<Partial<Record<Tool, ProjectCommand>>> => {
  const { host, config } = project
  const commands = await commandWords(project, folder)
  const found: Partial<Record<Tool, ProjectCommand>> = {}
  if (Object.keys(commands).length === 0) return found
  const { decideCommand } = await import('./decide-command.ts')
  const decide = decideCommand(project, folder)
  for (const tool of toolNames) {
    const words = commands[tool]
    if (!words) continue
    const own = config.commands?.[tool]
    const configured = own && commandItem(host, folder, tool, own)
    const { source, ...decided } = decide(words)
    const what = [words.join(' '), ...source].join(' → ')
    const sha = sha256(JSON.stringify([sameWords(words.join(' ')), source, present(decided.files)]))
    found[tool] = {
      words,
      ...(configured && { configured }),
      ...(own?.exclusive && { exclusive: true as const }),
      item: {
        kind: 'command',
        name: configured ? `files of ${tool}` : `detected ${tool}`,
        what,
        sha256: sha,
        remembered: true,
      },
      pinned: { what, sha256: sha, files: decided.files },
      programs: decided.programs,
      environment: decided.environment,
      ...(decided.skipped !== undefined && { skipped: decided.skipped }),
    }
  }
  return found
}

/**
 * Leaves out the files that do not exist, so that they do not change the hash of a command. A later version of CLEO
 * may pin more files. If the project does not have these files, the hash stays the same.
 */
const present = (files: DecidingFiles): [string, string][] =>
  Object.entries(files)
    .filter(([, hash]) => hash !== '')
    .sort(([a], [b]) => (a < b ? -1 : 1))

/** Returns the items that a person has to trust before the commands in the caller's work folder can run. */
export const detectedItems = async (project: Project): Promise<Trustable[]> => {
  const found = await commandsIn(project, await workFolder(project))
  const items = toolNames.flatMap((tool) => {
    const command = found[tool]
    if (!command) return []
    const hasFiles = Object.values(command.pinned.files).some((hash) => hash !== '')
    const own = command.configured && !hasFiles ? [] : [command.item]
    return [...own, ...command.environment(), ...command.programs.map(({ item }) => item)]
  })
  return [...new Map(items.map((item) => [key(item), item])).values()]
}

export const detectedKey = (tool: Tool): string => key({ kind: 'command', name: `${detected}${tool}` })

const detected = 'detected '

export const isDetected = ({ kind, name }: Trustable): boolean =>
  kind === 'command' && name.startsWith(detected)

/** Returns the tool of a detected command, from the name of its item. */
export const detectedTool = (name: string): string => name.slice(detected.length)

/**
 * Returns a function that checks whether the configured command of a tool was removed. The function returns a sentence
 * about the removal. It returns undefined if nothing was removed, or if a person accepted the removal.
 */
export const removedConfigured = (project: Project): ((tool: Tool) => string | undefined) => {
  const removed = removedSettings(project)
  return (tool) => {
    const was = removed.find(({ name }) => name === `commands.${tool}`)?.item.what
    return was && `the command for ${tool} was removed from .cleo/config.json; a person had set it to ${was}`
  }
}

/**
 * Whether a person accepted that the project no longer has a command for a tool. Call this only if `removedConfigured`
 * reports nothing for the tool. In that case, the removal of a configured command counts as accepted. The removal of a
 * detected command counts as accepted if a person has trusted the project after the command was pinned.
 */
export const isRemovalAccepted = (
  project: Project,
  found: Partial<Record<Tool, ProjectCommand>>,
  tool: Tool,
  pin: Pin | undefined,
): boolean => {
  if (trustedHashes(project)(detectedKey(tool)) !== undefined) return false
  if (pin?.configured) return true
  const state = stateOf(project)
  return (
    (!pin || wasTrustedAfter(project, pin.at ?? 0)) &&
    Object.values(found).some(({ item }) => state(item) === 'trusted')
  )
}
