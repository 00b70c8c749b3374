import { sections } from '../../markdown/headings.ts'

/** Where a version is usually written, the one that counts first. */
export const versionFiles = [
  'package.json',
  'Cargo.toml',
  'pyproject.toml',
  'VERSION',
  'package-lock.json',
] as const
export const changelogFiles = ['CHANGELOG.md', 'CHANGES.md', 'HISTORY.md', 'CHANGELOG'] as const

/** The version in such a file; undefined where it has none. */
export const versionIn = (file: string, text: string): string | undefined => {
  if (file.endsWith('.json')) return inJson(text)
  if (file.endsWith('.toml')) return inToml(text)
  return text.trim().split('\n')[0]?.trim() || undefined
}

const inJson = (text: string): string | undefined => {
  try {
    const { version } = JSON.parse(text) as { version?: unknown }
    return typeof version === 'string' ? version : undefined
  } catch {
    // The project's own tools will say what is wrong with it.
    return undefined
  }
}

const tables = ['[package]', '[workspace.package]', '[project]', '[tool.poetry]']

const inToml = (text: string): string | undefined => {
  let within = false
  for (const line of text.split('\n')) {
    const said = line.trim()
    if (said.startsWith('[')) within = tables.includes(said)
    const version = within ? /^version\s*=\s*["']([^"']+)["']/.exec(said)?.[1] : undefined
    if (version) return version
  }
  return undefined
}

/** As semver.org has it. */
export const isSemantic = (version: string): boolean =>
  /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/.test(
    version,
  )

/** The versions a changelog has, newest first, and whether something stands below each. */
export const versionsIn = (changelog: string): { version: string; filled: boolean }[] =>
  sections(changelog).flatMap(({ title, start, end }) => {
    const version = /\bv?(\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]*[0-9A-Za-z])?)/.exec(title)?.[1]
    if (!version) return []
    const [, ...below] = changelog.slice(start, end).trim().split('\n')
    return [{ version, filled: below.some((line) => /[\p{L}\d]/u.test(line)) }]
  })
