import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import versions from './versions.json' with { type: 'json' }

type Program = keyof typeof versions
export type ClientName = Exclude<Program, 'inspector'>

export interface Fetched<N extends Program = ClientName> {
  name: N
  version: string
  /** The version that the program itself prints. */
  says: string
  /** The program and its first arguments. */
  command: string[]
}

const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'cleo-test-clients')

const found = new Map<Program, Fetched<Program> | string>()

/**
 * Returns a client, or the inspector of MCP servers, from the cache. If npm cannot install it there, returns the
 * reason as a text.
 */
export const fetchClient = <N extends Program>(name: N): Fetched<N> | string => {
  const known = found.get(name) ?? fetchNew(name)
  found.set(name, known)
  return known as Fetched<N> | string
}

const fetchNew = (name: Program): Fetched<Program> | string => {
  const { package: packageName, version, ...more } = versions[name]
  const folder = join(cache, `${name}-${version}`)
  const installed = join(folder, 'node_modules', packageName)
  if (!existsSync(installed)) {
    const why = install(`${packageName}@${version}`, 'scripts' in more, folder)
    if (why) return `${name} ${version} could not be fetched: ${why}`
  }
  const { bin } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    bin: Record<string, string>
  }
  const program = join(installed, bin[name]!)
  const command = program.endsWith('.js') ? [process.execPath, program] : [program]
  const said = askVersion(command)
  if (said.status !== 0) return `${name} ${version} does not start: ${said.error?.message ?? said.stderr}`
  return { name, version, says: said.stdout.trim().split('\n')[0]!, command }
}

/** Uses a temporary home folder, because clients write to it even for `--version`. */
const askVersion = ([program, ...args]: string[]) => {
  const home = mkdtempSync(join(cache, 'home-'))
  try {
    const env = { PATH: process.env['PATH'], HOME: home }
    return spawnSync(program!, [...args, '--version'], { encoding: 'utf8', env })
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** Installs into another folder and renames it, so that an interrupted installation is never taken for a client. */
const install = (wanted: string, scripts: boolean, folder: string): string | undefined => {
  mkdirSync(cache, { recursive: true })
  const building = mkdtempSync(join(cache, 'installing-'))
  try {
    const allowed = scripts ? { allowScripts: { [wanted.slice(0, wanted.lastIndexOf('@'))]: true } } : {}
    writeFileSync(join(building, 'package.json'), JSON.stringify({ private: true, ...allowed }))
    const npm = join(dirname(process.execPath), 'npm')
    const { status, stderr, error } = spawnSync(
      existsSync(npm) ? npm : 'npm',
      ['install', '--no-audit', '--no-fund', '--loglevel=error', wanted],
      { cwd: building, encoding: 'utf8' },
    )
    if (status !== 0) return (error?.message ?? stderr).trim()
    renameSync(building, folder)
    return undefined
  } finally {
    rmSync(building, { recursive: true, force: true })
  }
}
