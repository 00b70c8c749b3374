import type { OpenFile, RepositoryState } from '../host/repository-state.ts'
import { pathMatcher } from '../kernel/path-pattern.ts'

/**
 * What test programs, compilers, linters and file managers leave behind, by names that nothing else uses. Programs do
 * not load source from there, so a clone without these files behaves the same. Installed packages (`node_modules`,
 * `.venv`) are not in the list: tests can pass because of them.
 */
const anywhere = pathMatcher([
  // Python reads compiled files there only for a source file that exists; tool runs do not read them at all.
  ...['**/__pycache__/*.pyc', '**/.pytest_cache', '**/.mypy_cache', '**/.ruff_cache', '**/.hypothesis'],
  ...[
    '**/.coverage',
    '**/.nyc_output',
    '**/coverage/lcov-report',
    '**/coverage/*.{json,xml,info,html,css,png}',
  ],
  ...['**/*.tsbuildinfo', '**/.eslintcache', '**/.phpunit.result.cache', '**/.phpunit.cache', '**/.DS_Store'],
])

/** Source is never a by-product: an agent could put it into such a folder, and tests would load it. */
const source =
  /\.(?:[cm]?[jt]sx?|pyw?|sh|bash|rb|php|pl|lua|go|rs|java|kts?|scala|swift|cs|fs|[ch](?:pp|c|xx)?|so|node|dylib|wasm)$/i

/** The scripts of the coverage reports that Istanbul writes. */
const ofReports = /(?:^|\/)coverage\/(?:lcov-report\/)?(?:prettify|sorter|block-navigation)\.js$/

/** Folders with ordinary names. They are by-products only beside the tracked file of the build tool that writes them. */
const besideBuildFile: Readonly<Record<string, readonly string[]>> = {
  target: ['Cargo.toml', 'pom.xml'],
  build: ['build.gradle', 'build.gradle.kts'],
  '.gradle': ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'],
}

/** Returns a test for untracked files that tools leave behind, by their path in the repository. */
export const byProductTest =
  ({ files }: RepositoryState) =>
  ({ path, how }: OpenFile): boolean => {
    if (how !== 'untracked') return false
    if (ofReports.test(path) || (anywhere(path) && !source.test(path))) return true
    const parts = path.split('/')
    return parts.slice(0, -1).some((part, i) => {
      const folder = parts.slice(0, i).map((each) => `${each}/`)
      return besideBuildFile[part]?.some((name) => files.get(`${folder.join('')}${name}`)?.tracked) === true
    })
  }
