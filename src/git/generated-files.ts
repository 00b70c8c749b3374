import { shellQuote } from '../print/shell-quote.ts'
import type { Git } from './git.ts'

/** A file or folder that a tool writes and that projects usually leave out of git. */
export interface Generated {
  /** The path of the file or folder. A folder ends with `/`. */
  path: string
  /** The line for `.gitignore`. */
  ignore: string
}

const folders = new Set([
  ...['__pycache__', '.pytest_cache', '.mypy_cache', '.ruff_cache', '.hypothesis', '.tox', '.venv', 'venv'],
  ...['node_modules', '.nyc_output', '.phpunit.cache', '.gradle'],
])
const files = new Set(['.coverage', '.eslintcache', '.phpunit.result.cache', '.DS_Store'])
const endings = ['.pyc', '.tsbuildinfo']

/**
 * Folders whose names people also use for their own files. Such a folder counts as generated only beside one of its
 * build files.
 */
const besideBuildFile: Readonly<Record<string, readonly string[]>> = {
  target: ['Cargo.toml', 'pom.xml'],
  build: ['build.gradle', 'build.gradle.kts', 'setup.py'],
  dist: ['package.json', 'pyproject.toml', 'setup.py'],
  coverage: ['package.json'],
}

/** Returns the outermost generated part of a path. `has` says whether a build file exists. */
export const generatedPart = (path: string, has: (buildFile: string) => boolean): Generated | undefined => {
  const parts = path.split('/')
  for (const [i, part] of parts.entries()) {
    const before = parts
      .slice(0, i)
      .map((each) => `${each}/`)
      .join('')
    const isLast = i === parts.length - 1
    if (isLast && (files.has(part) || endings.some((ending) => part.endsWith(ending))))
      return { path, ignore: files.has(part) ? part : `*${endings.find((ending) => part.endsWith(ending))}` }
    const isFolder =
      !isLast &&
      (folders.has(part) ||
        (Object.hasOwn(besideBuildFile, part) && besideBuildFile[part]!.some((name) => has(before + name))))
    if (isFolder) return { path: `${before}${part}/`, ignore: `${part}/` }
  }
  return undefined
}

/**
 * Returns the generated files and folders that the commit `to` has and the commit `from` does not. Leaves out a folder
 * of which `from` has some files, because the project wants that folder in git. `paths` are the changed files, relative
 * to the repository. Asks git only if one of these paths looks generated.
 */
export const generatedBetween = async (
  { resolve }: Pick<Git, 'resolve'>,
  paths: readonly string[],
  { from, to }: { from: string | undefined; to: string },
): Promise<Generated[]> => {
  const buildFiles = new Set<string>()
  const seen = paths.filter((path) => !path.includes('\n')).slice(0, mostPaths)
  const all = seen.filter((path) => generatedPart(path, (name) => buildFiles.add(name) !== undefined))
  if (all.length === 0) return []
  const names = [...buildFiles]
  const builds = await resolve(names.map((name) => `${to}:${name}`))
  const has = new Set(names.filter((_, i) => builds[i] !== undefined))
  const found = new Map(
    all.flatMap((path) => {
      const part = generatedPart(path, (name) => has.has(name))
      return part ? [[part.path, part] as const] : []
    }),
  )
  const parts = [...found.values()]
  const at = (commit: string) => parts.map(({ path }) => `${commit}:${path.replace(/\/$/, '')}`)
  const [now, before] = [await resolve(at(to)), from === undefined ? [] : await resolve(at(from))]
  return parts.filter((_, i) => now[i] !== undefined && before[i] === undefined)
}
const mostPaths = 10_000

const mostNames = 5

/**
 * Names generated files, and the commands that take them out of git but keep them on the disk. `when` says when to run
 * the commands.
 */
export const generatedWarning = (found: readonly Generated[], when: string): string => {
  const names = found.slice(0, mostNames).map(({ path }) => path)
  const more = found.length > mostNames ? ` and ${found.length - mostNames} more` : ''
  return `generated files are committed: ${names.join(', ')}${more}. To take them out of git ${when}: ${takeOutLine(found)}`
}

const takeOutLine = (found: readonly Generated[]): string => {
  const lines = [...new Set(found.map(({ ignore }) => ignore))].map(shellQuote).join(' ')
  const paths =
    found.length > mostNames
      ? [...new Set(found.map(({ ignore }) => `:(glob)**/${ignore}${ignore.endsWith('/') ? '**' : ''}`))]
      : found.map(({ path }) => path)
  // Print a line break first. The last line of .gitignore may have none, and the first pattern would become part of
  // that line.
  return `printf '%s\\n' '' ${lines} >>.gitignore && git rm -r -q --cached -- ${paths.map(shellQuote).join(' ')} && git add .gitignore && git commit -m "Ignore generated files"`
}
