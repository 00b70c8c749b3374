import { generatedPart } from '../git/generated-files.ts'
import { indexOf } from '../git/git-folder.ts'
import { filesInIndex } from '../git/index-file.ts'
import { topOfRepository } from '../git/repository.ts'
import { gitRunnerAt } from '../git/run-git.ts'
import type { Host } from '../host/host.ts'

/**
 * Kinds of projects, recognised by the name of a file. The tools of a project write files that git should ignore. Each
 * item of `writes` has a line for `.gitignore`, and the path of an example file. To find out whether git ignores the
 * files already, CLEO asks about the example.
 */
const kinds: readonly { of(name: string): boolean; writes: readonly (readonly [string, string])[] }[] = [
  {
    of: (name) =>
      name.endsWith('.py') ||
      ['pyproject.toml', 'requirements.txt', 'setup.py', 'setup.cfg', 'Pipfile', 'tox.ini'].includes(name),
    writes: [['__pycache__/', '__pycache__/x.cpython-314.pyc']],
  },
  { of: (name) => name === 'package.json', writes: [['node_modules/', 'node_modules/x/x.js']] },
  { of: (name) => name === 'Cargo.toml' || name === 'pom.xml', writes: [['target/', 'target/x/x']] },
  {
    of: (name) => name === 'build.gradle' || name === 'build.gradle.kts',
    writes: [
      ['build/', 'build/x/x'],
      ['.gradle/', '.gradle/x'],
    ],
  },
]

/**
 * Returns lines for `.gitignore`. The lines name files that the tools of this project usually write, or have already
 * written. Leaves out files that git ignores already. Does not start git if the tools write no files.
 */
export const notIgnored = async (host: Host, root: string): Promise<string[]> => {
  const names = host.files.list(root)
  const found = new Map(kinds.flatMap(({ of, writes }) => (names.some(of) ? writes : [])))
  for (const name of names) {
    const isFolder = host.files.kind(`${root}/${name}`) === 'folder'
    const part = generatedPart(isFolder ? `${name}/x` : name, (file) => names.includes(file))
    if (part && !found.has(part.ignore)) found.set(part.ignore, isFolder ? `${name}/x` : name)
  }
  const git = found.size > 0 ? gitRunnerAt(host, root) : undefined
  if (!git) return []
  const asked = [...found.values()]
  // The runner starts git with literal pathspecs, which `check-ignore` refuses. So turn them off.
  const args = ['--no-literal-pathspecs', 'check-ignore', '-z', '--stdin']
  const text = await git.run(args, { input: asked.join('\0') })
  // If git ignores none of the asked paths, `check-ignore` exits with 1 and `text` is undefined. So only `fault` says
  // whether git failed.
  if (text === undefined && git.fault()) return []
  const ignored = new Set((text ?? '').split('\0'))
  return [...found].flatMap(([line, example]) => (ignored.has(example) ? [] : [line]))
}

/** Whether the folder has files, but git's index has none. */
export const hasNothingInGit = async (host: Host, root: string): Promise<boolean> => {
  const top = topOfRepository(host, root)
  const index = top && (await indexOf(host, top))
  if (!index) return false
  const isFile = (name: string): boolean => !name.startsWith('.')
  const size = host.files.sizeSeen(index)
  // An index without entries is small, so do not read a large index.
  const isEmpty = size === 0 || (size < 200 && filesInIndex(index)?.length === 0)
  return isEmpty && host.files.list(root).some(isFile)
}
