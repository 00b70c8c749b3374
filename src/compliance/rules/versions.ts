import { sections } from '../../markdown/headings.ts'

/** Files that usually contain the project's version. The first file that contains a version decides. */
export const versionFiles = [
  'package.json',
  'Cargo.toml',
  'pyproject.toml',
  'VERSION',
  'package-lock.json',
] as const
export const changelogFiles = ['CHANGELOG.md', 'CHANGES.md', 'HISTORY.md', 'CHANGELOG'] as const

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
    // Ignore a file that is not valid JSON. The project's own tools will report it.
    return undefined
  }
}

const tables = ['[package]', '[workspace.package]', '[project]', '[tool.poetry]']

const inToml = (text: string): string | undefined => {
  let within = false
  for (const line of text.split('\n')) {
    const text = line.trim()
    if (text.startsWith('[')) within = tables.includes(text)
    const version = within ? /^version\s*=\s*["']([^"']+)["']/.exec(text)?.[1] : undefined
    if (version) return version
  }
  return undefined
}

/** Whether a version follows semver.org. */
export const isSemantic = (version: string): boolean =>
  /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/.test(
    version,
  )

/** Returns the versions in a changelog, from top to bottom, and whether the section of each has any text. */
export const versionsIn = (changelog: string): { version: string; filled: boolean }[] =>
  sections(changelog).flatMap(({ title, start, end }) => {
    const version = /\bv?(\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]*[0-9A-Za-z])?)/.exec(title)?.[1]
    if (!version) return []
    const [, ...below] = changelog.slice(start, end).trim().split('\n')
    return [{ version, filled: below.some((line) => /[\p{L}\d]/u.test(line)) }]
  })
