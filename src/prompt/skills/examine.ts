import { type Entry, entryOf } from './entry.ts'
import { type Fields, readFields } from './fields.ts'
import { type Broken, type Finding, inLineOrder } from './finding.ts'
import { divide, type Unreadable } from './front-matter.ts'
import { ownRules } from './own-rules.ts'

export interface Examined {
  /** Without one it cannot be loaded. */
  entry?: Entry
  findings: Finding[]
}

export interface Written {
  /** For findings: where SKILL.md is. */
  file: string
  text: string
  /** The name of the folder it is in. */
  folder: string
  /** Every file of the folder, relative to it. */
  files: readonly string[]
  tokens: number
}

/** Everything that is wrong with a skill, by the public rules for Agent Skills and by CLEO's own. */
export const examineSkill = async (skill: Written): Promise<Examined> => {
  const { file, text, folder } = skill
  const unloadable = ({ line, why }: Unreadable): Finding => ({
    level: 'error',
    file,
    line,
    message: `${why}, so the skill cannot be loaded`,
  })
  const divided = divide(text)
  if (!divided.ok) return { findings: [unloadable(divided)] }
  const read = await readFields(divided.frontMatter)
  if (!read.ok) return { findings: [unloadable(read)] }
  const made = entryOf(read.fields, { path: folder, sha256: '', files: [] })
  const broken = publicRules(read.fields, folder).map(
    ({ line, message }): Finding => ({ level: 'error', file, line, message }),
  )
  if (!made.ok) return { findings: inLineOrder([...broken, unloadable(made)]) }
  const advice = ownRules(read.fields, made.entry, divided, skill).map(
    ({ line, message }): Finding => ({ level: 'warning', file, line, message }),
  )
  return { entry: made.entry, findings: inLineOrder([...broken, ...advice]) }
}

const keys = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools']

const publicRules = (fields: Fields, folder: string): Broken[] => {
  const broken: Broken[] = []
  const of = (key: string, message: string | false | undefined) => {
    if (message) broken.push({ line: fields.get(key)?.line ?? 1, message })
  }
  for (const [key, { value }] of fields) {
    const [top, inner] = [key.split('.', 1)[0]!, key.includes('.')]
    if (!inner)
      of(key, !keys.includes(key) && `"${key}" is not a key of the public format; it belongs below metadata`)
    else if (top === 'metadata' && typeof value !== 'string')
      of(
        key,
        `${key} is not text; put quotes around it${Array.isArray(value) ? ', and commas between its words' : ''}`,
      )
  }
  for (const key of ['name', 'description', 'license', 'compatibility', 'allowed-tools']) {
    const field = fields.get(key)
    of(
      key,
      field &&
        typeof field.value !== 'string' &&
        `${key} is not one text${key === 'allowed-tools' ? '; put its words on one line with spaces between' : ''}`,
    )
  }
  const metadata = fields.get('metadata')?.value
  of(
    'metadata',
    metadata !== undefined &&
      (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) &&
      'metadata is not a list of "name: text" lines',
  )
  const text = (key: string) => fields.get(key)?.text ?? ''
  const name = text('name').trim()
  of(
    'name',
    name !== '' &&
      !isPublicName(name) &&
      `the name "${name}" is not made of at most 64 small letters and digits with single hyphens between`,
  )
  of('name', name !== '' && name !== folder && `the name "${name}" is not that of its folder, "${folder}"`)
  of('description', tooLong(text('description'), 1024) && 'the description has more than 1,024 characters')
  of('compatibility', tooLong(text('compatibility'), 500) && 'compatibility has more than 500 characters')
  return broken
}

const tooLong = (text: string, most: number): boolean => text.length > most && [...text.trim()].length > most

const isPublicName = (name: string): boolean => name.length <= 64 && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)
