import { parse } from 'yaml'
import { splitFrontMatter } from '../../src/markdown/front-matter.ts'

const known = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools']

/** Returns how a SKILL.md in a folder of this name breaks the public rules of Agent Skills. */
export const misfits = (text: string, folder: string): string[] => {
  const divided = splitFrontMatter(text)
  if (!divided.ok) return [divided.why]
  const fields = parse(divided.frontMatter) as Record<string, unknown>
  const { name, description, license, compatibility, metadata } = fields
  const isText = (value: unknown, most: number) =>
    typeof value === 'string' && value.trim() !== '' && value.length <= most
  const checks: [boolean, string][] = [
    [Object.keys(fields).every((key) => known.includes(key)), 'unknown key'],
    [isText(name, 64) && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name as string), 'name'],
    [name === folder, 'folder'],
    [isText(description, 1024) && !/[<>]/.test(description as string), 'description'],
    [license === undefined || isText(license, 500), 'license'],
    [compatibility === undefined || isText(compatibility, 500), 'compatibility'],
    [metadata === undefined || isTextMap(metadata), 'metadata'],
    [fields['allowed-tools'] === undefined || isText(fields['allowed-tools'], 1024), 'allowed-tools'],
    [divided.body.trim() !== '', 'body'],
  ]
  return checks.flatMap(([fits, what]) => (fits ? [] : [what]))
}

const isTextMap = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((each) => typeof each === 'string')
