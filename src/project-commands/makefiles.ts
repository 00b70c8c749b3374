import { makefileNames } from './build-file-names.ts'
import { type Makefile, readMakefile } from './build-files.ts'
import { matchingFiles } from './glob.ts'
import type { ProjectFolder } from './project-folder.ts'

const mostMakefiles = 100

interface Makefiles extends Makefile {
  /** The paths of all files that make looks for, whether they exist or not, and the patterns of include lines. */
  files: string[]
}

export const makefilesIn = (
  project: Pick<ProjectFolder, 'read' | 'list' | 'isFile'>,
  at = '',
  named: readonly string[] = makefileNames,
): Makefiles => {
  const all: Makefiles = {
    targets: new Map(),
    variables: new Map(),
    phony: new Set(),
    includes: [],
    files: [],
  }
  const candidates = named.map((name) => at + name)
  // Include the names of missing files, so that they are pinned as missing and CLEO notices a new file that changes
  // what make does. For example, make would use a new GNUmakefile instead of the Makefile.
  const found = new Set<string>(candidates)
  const used = candidates.find((name) => project.read(name) !== undefined)
  const open = used === undefined ? [] : [used]
  const read = new Set<string>()
  for (let file = open.shift(); file !== undefined && found.size < mostMakefiles; file = open.shift()) {
    found.add(file)
    if (read.has(file)) continue
    read.add(file)
    const makefile = readMakefile(project.read(file) ?? '')
    addAll(all, makefile)
    for (const include of makefile.includes.map((name) => at + name)) {
      found.add(include)
      open.push(...(include.includes('*') ? matchingFiles(project, include) : [include]))
    }
  }
  return { ...all, files: [...found] }
}

const addAll = (all: Makefile, { targets, variables, phony }: Makefile): void => {
  for (const [name, text] of targets) if (!all.targets.has(name)) all.targets.set(name, text)
  for (const [name, text] of variables) if (!all.variables.has(name)) all.variables.set(name, text)
  for (const name of phony) all.phony.add(name)
}
