import type { SpawnOptions } from '../claims/sql/spawns.ts'
import { linkedWorktree } from '../host/find-project.ts'
import { isBelow, resolvePath } from '../kernel/path.ts'
import type { Project } from '../operation/context.ts'
import { defaults } from '../prompt/values.ts'

/** Where the output of one work folder lies; all paths absolute. */
export interface Places {
  /** The folder itself: a worktree, or the project. */
  work: string
  /** The same as it is kept with entries: empty for the project. */
  place: string
  output: string
  /** The file of entries. */
  manifest: string
  /** Its name in the table: below the project where it lies there. */
  key: string
  /** Folders that may hold output files. */
  roots: string[]
}

export const placesIn = ({ host, root, config }: Project, work: string, asked?: SpawnOptions): Places => {
  const usual = config.output?.dir ?? 'claudedocs/agent-outputs'
  const manifest = resolvePath(work, config.manifest?.path ?? `${usual}/MANIFEST.jsonl`)
  const output = resolvePath(work, asked?.output ?? usual)
  const specs = host.env['SPECS_DIR'] ?? defaults['SPECS_DIR']!
  const further = [usual, specs, ...(config.output?.roots ?? [])].map((path) => resolvePath(work, path))
  return {
    work,
    place: work === root ? '' : work,
    output,
    manifest,
    key: work === root ? manifest.slice(root.length + 1) : manifest,
    roots: [output, ...further].filter((path) => isBelow(work, path)),
  }
}

/** The folder a spawn works in: the worktree it was given, else the one the caller is in, else the project. */
export const workFolder = async (project: Project, asked?: SpawnOptions): Promise<string> => {
  const { host, root } = project
  if (asked?.worktree !== undefined) {
    const given = host.files.realPath(resolvePath(root, asked.worktree))
    if (host.files.sizeSeen(`${given}/.git`) > 0) return given
  }
  const around = await linkedWorktree(host, host.cwd)
  return around && (around.main === root || isBelow(around.main, root)) ? belowTop(around, root) : root
}

/** In a worktree the project lies where it does in the main one. */
const belowTop = ({ top, main }: { top: string; main: string }, root: string): string =>
  top + root.slice(main.length)
