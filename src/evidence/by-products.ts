import type { OpenFile, RepositoryState } from '../git/repository-state.ts'

/**
 * Files and folders that are left behind by test programs, compilers, linters and file managers, under names that
 * nothing else uses. Add a file only if a clone behaves the same without it. For example, compiled Python files belong
 * here: Python reads a compiled file only if its source file exists, and reads no compiled files when CLEO runs a tool.
 * Installed packages (`node_modules`, `.venv`) do not belong here, because some tests pass only with them.
 *
 * This is one regular expression, because a list of 17 patterns took a twentieth of the time of `complete`.
 */
const anywhere = new RegExp(
  `(?:^|/)(?:${[
    String.raw`__pycache__/[^/]*\.pyc`,
    String.raw`\.(?:pytest_cache|mypy_cache|ruff_cache|hypothesis)`,
    String.raw`\.(?:coverage|nyc_output)|coverage/lcov-report`,
    String.raw`coverage/[^/]*\.(?:json|xml|info|html|css|png)`,
    String.raw`[^/]*\.tsbuildinfo|\.eslintcache|\.phpunit(?:\.result)?\.cache|\.DS_Store`,
  ].join('|')})(?:/|$)`,
)

/**
 * Each path that matches `anywhere` contains one of these. If no path contains one, the regular expression is never
 * used, which saves the time to compile it.
 */
const partsOfAnywhere = ['cache', 'coverage', '.hypothesis', '.nyc_output', '.tsbuildinfo', '.DS_Store']

/**
 * Source files are never by-products. Otherwise an agent could hide source in a by-product folder, and tests would
 * load it.
 */
const source =
  /\.(?:[cm]?[jt]sx?|pyw?|sh|bash|rb|php|pl|lua|go|rs|java|kts?|scala|swift|cs|fs|[ch](?:pp|c|xx)?|so|node|dylib|wasm)$/i

/**
 * The scripts in the coverage reports that Istanbul writes. They are by-products, although they have the file
 * extension of source files.
 */
const ofReports = /(?:^|\/)coverage\/(?:lcov-report\/)?(?:prettify|sorter|block-navigation)\.js$/

/**
 * Names of folders that are written by build tools, each with the configuration files of its tools. Other folders
 * can have the same names, so a folder is a by-product only if git tracks one of the configuration files beside the
 * folder.
 */
const besideBuildFile: Readonly<Record<string, readonly string[]>> = {
  target: ['Cargo.toml', 'pom.xml'],
  build: ['build.gradle', 'build.gradle.kts'],
  '.gradle': ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'],
}

/** The path of the file is relative to the repository. */
export const byProductTest =
  ({ files }: RepositoryState) =>
  ({ path, how }: OpenFile): boolean => {
    if (how !== 'untracked') return false
    if (partsOfAnywhere.some((part) => path.includes(part)) && isByProductAnywhere(path)) return true
    const parts = path.split('/')
    return parts.slice(0, -1).some((part, i) => {
      if (!Object.hasOwn(besideBuildFile, part)) return false
      const folder = parts.slice(0, i).map((each) => `${each}/`)
      return besideBuildFile[part]!.some((name) => files.get(`${folder.join('')}${name}`)?.tracked)
    })
  }

const isByProductAnywhere = (path: string): boolean =>
  (path.includes('coverage/') && ofReports.test(path)) || (anywhere.test(path) && !source.test(path))
