import { sha256 } from '../host/sha256.ts'
import type { Project } from '../operation/context.ts'
import { workFolder } from '../output/work-folders.ts'
import type { Trustable } from '../project/trust-records.ts'
import { isPackageManager } from '../project-commands/command-source.ts'
import { decideCommand } from '../project-commands/decide-command.ts'
import { sameWords } from '../project-commands/pin.ts'
import { projectFolder } from '../project-commands/project-folder.ts'
import { lockFileCommands, type SetUpCommand } from './lock-files.ts'
import { type CopyPatterns, otherToolCommands, otherToolPatterns } from './other-tools.ts'

/**
 * A command of the set-up, with the items that a person has to trust. `item` covers the words of the command, and the
 * scripts and files that decide what the command does.
 */
export interface SetUpStep extends SetUpCommand {
  item: Trustable
  /** Programs inside the project that the command would run. A person has to trust them too. */
  programs: Trustable[]
}

export interface SetUp {
  steps: SetUpStep[]
  copies: { list: CopyPatterns; item: Trustable }[]
}

/**
 * Returns how a new worktree is set up. Uses the settings. If there are none, uses the files of other tools. If the
 * files of other tools define no commands, uses the lock files. Reads all files in `folder`, because they can differ
 * between worktrees. A step may run only if a person trusts its items.
 */
export const setUpOf = (project: Pick<Project, 'host' | 'root' | 'written'>, folder: string): SetUp => {
  const files = projectFolder(project.host, folder)
  const { setup, copy } = project.written.worktrees ?? {}
  const others = () => otherToolCommands(files, project.root, folder)
  const commands =
    setup?.map(({ run, exclusive }) => ({
      words: run,
      source: 'worktrees.setup',
      ...(exclusive && { exclusive }),
    })) ?? orElse(others(), () => lockFileCommands(files))
  const decide = decideCommand(project, folder)
  return {
    steps: commands.map((command, i) => ({ ...command, ...stepItems(command, i + 1, decide) })),
    copies: (copy ? [] : otherToolPatterns(files)).map((list) => ({ list, item: copyItem(list) })),
  }
}

/**
 * Returns the items of the set-up that need trust: its commands, and the lists of files to copy. Reads the files in the
 * caller's work folder. Leaves out settings, because settings are trusted separately.
 */
export const setUpItems = async (project: Project): Promise<Trustable[]> => {
  const { steps, copies } = setUpOf(project, await workFolder(project))
  return [...steps.flatMap(itemsOfStep), ...copies.map(({ item }) => item)]
}

export const itemsOfStep = ({ item, programs }: SetUpStep): Trustable[] => [item, ...programs]

const orElse = <T>(list: T[], other: () => T[]): T[] => (list.length > 0 ? list : other())

/** The project's scripts that a package manager runs before or after it installs packages. */
const installScripts = [
  'preinstall',
  'install',
  'postinstall',
  'prepublish',
  'preprepare',
  'prepare',
  'postprepare',
]

const stepItems = (
  { words, source, exclusive }: SetUpCommand,
  n: number,
  decide: ReturnType<typeof decideCommand>,
): Pick<SetUpStep, 'item' | 'programs'> => {
  const decided = decide(isPackageManager(words[0]!) ? [...words, ...installScripts] : words)
  const files = Object.entries(decided.files)
    .filter(([, hash]) => hash !== '')
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const command = `${words.join(' ')}${exclusive ? ' (exclusive)' : ''}`
  const item: Trustable = {
    kind: 'worktree',
    name: `set-up ${n}`,
    what: `${[command, ...decided.source].join(' → ')}; from ${source}`,
    sha256: sha256(JSON.stringify([sameWords(command), decided.source, files])),
    remembered: true,
  }
  return { item, programs: decided.programs.map((program) => program.item) }
}

const copyItem = ({ source, patterns }: CopyPatterns): Trustable => ({
  kind: 'worktree',
  name: `copy ${source}`,
  what: `${patterns.join(', ')}; from ${source}`,
  sha256: sha256(JSON.stringify(patterns)),
  remembered: true,
})
