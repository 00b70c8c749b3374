import { sha256 } from '../host/sha256.ts'
import { isBelow } from '../kernel/path.ts'
import type { Project } from '../operation/context.ts'
import type { Trustable } from '../project/trust-records.ts'
import { commandPieces, skippedTarget } from './command-source.ts'
import { type DecidingFiles, decidingFiles } from './deciding-files.ts'
import { environmentItems, type OwnProgram, ownPrograms } from './own-programs.ts'
import { type ProjectFolder, projectFolder } from './project-folder.ts'
import { type WorkspacePackage, workspacePackages } from './workspace-packages.ts'

interface Decided {
  /** The package scripts or make targets that the command runs. */
  source: string[]
  files: DecidingFiles
  programs: OwnProgram[]
  /** Programs of the folder's virtual environments, such as `.venv`. An environment need not be active. */
  environment: () => Trustable[]
  skipped?: string
}

/** Returns a function that takes a command and finds the files and programs that decide what the command does. */
export const decideCommand = (
  { host, root }: Pick<Project, 'host' | 'root'>,
  folder: string,
): ((words: readonly string[]) => Decided) => {
  const files = projectFolder(host, folder)
  let packages: WorkspacePackage[] | undefined
  const place = { host, root, folder }
  return (words) => {
    const command = { words, pieces: commandPieces(words, files) }
    const skipped = skippedTarget(words, files)
    return {
      source: [...command.pieces].map(([name, piece]) => `${name}: ${piece}`),
      files: {
        ...decidingFiles(files, command, () => (packages ??= workspacePackages(files))),
        ...(words[0] === 'cargo' && settingsAbove(place, files)),
      },
      programs: ownPrograms(place, files, command),
      environment: () => environmentItems(place, files, command),
      ...(skipped !== undefined && { skipped }),
    }
  }
}

/**
 * If the worktree is inside the project, hashes the Cargo settings in the project's folders above the worktree, because
 * Cargo reads these settings as well as the worktree's own.
 */
const settingsAbove = (
  { host, root, folder }: { host: Project['host']; root: string; folder: string },
  own: ProjectFolder,
): DecidingFiles => {
  const found: Record<string, string> = {}
  if (!isBelow(root, folder)) return found
  for (let at = folder; at !== root; ) {
    at = at.slice(0, at.lastIndexOf('/'))
    for (const name of ['.cargo/config.toml', '.cargo/config']) {
      const path = `${at}/${name}`
      const text = host.files.kind(path) === 'file' ? host.files.read(path) : undefined
      // If the file has the same text as the worktree's own file of this name, treat it as missing.
      found[`${path.slice(root.length + 1)} in the project`] =
        text === undefined || text === own.read(name) ? '' : sha256(text)
    }
  }
  return found
}
