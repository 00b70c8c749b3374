import { isObject } from '../kernel/json-object.ts'

export type Fields = Readonly<Record<string, unknown>>

/** Returns the object on a line of a stream; undefined for anything else, such as a line that is cut off. */
export const parseLine = (line: string): Fields | undefined => {
  const start = line.trimStart()
  if (!start.startsWith('{')) return undefined
  try {
    const value: unknown = JSON.parse(start)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

export const textOf = (fields: Fields, key: string): string | undefined => {
  const value = own(fields, key)
  return typeof value === 'string' && value !== '' ? value : undefined
}

export const countOf = (fields: Fields, key: string): number | undefined => {
  const value = own(fields, key)
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}

export const fieldsOf = (fields: Fields, key: string): Fields => {
  const value = own(fields, key)
  return isObject(value) ? (value as Fields) : none
}

export const listOf = (fields: Fields, key: string): Fields[] => {
  const value = own(fields, key)
  return Array.isArray(value) ? (value as unknown[]).filter((each): each is Fields => isObject(each)) : []
}

const none: Fields = {}

const own = (fields: Fields, key: string): unknown => (Object.hasOwn(fields, key) ? fields[key] : undefined)

const mostText = 300

/** The first line of a text, cut to a length that fits a log line. */
export const shortText = (text: string, most = mostText): string => {
  const line = text
    .slice(0, most * 4)
    .trim()
    .split('\n', 1)[0]!
    .trim()
  return line.length > most ? `${line.slice(0, most - 1).toWellFormed()}…` : line
}

/**
 * Describes a tool call in one line, by the tool's name and input: `$ npm test`, `Read src/cart.ts`, or only the name
 * of the tool.
 */
export const actionText = (tool: string, input: Fields): string => {
  const command = textOf(input, 'command') ?? textOf(input, 'cmd')
  if (command !== undefined) return shortText(`$ ${command}`)
  for (const key of [
    'file_path',
    'filePath',
    'absolute_path',
    'path',
    'pattern',
    'query',
    'url',
    'description',
  ]) {
    const value = textOf(input, key)
    if (value !== undefined) return shortText(`${tool} ${value}`)
  }
  return shortText(tool)
}

/** Whether a shell said that it does not find `cleo`. */
export const lacksCleo = (text: string): boolean => {
  const at = text.indexOf('cleo: ')
  if (at < 0) return text.includes('command not found: cleo')
  const rest = text.slice(at + 6, at + 30)
  return rest.startsWith('command not found') || rest.startsWith('not found')
}
