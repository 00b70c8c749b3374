import { isObject, type JsonObject } from '../kernel/json-object.ts'

/** The fields of an entry as written: any JSON object. */
export type WrittenFields = JsonObject

/** The most bytes that an entry may have, including white space and escapes. */
export const maxObjectBytes = 256 * 1024
/** The most levels of objects and lists inside an entry. */
export const maxDepth = 32

export const newline = 0x0a
export const openBrace = 0x7b
const closeBrace = 0x7d

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Returns undefined if there is no object, or if the object is too large or nested too deeply. */
export const parseObject = (bytes: Uint8Array, start: number, end: number): WrittenFields | undefined => {
  // Look for the two braces before parsing, because a JSON.parse that fails is far slower.
  if (bytes[start] !== openBrace || bytes[trimEnd(bytes, start, end) - 1] !== closeBrace) return undefined
  if (end - start > maxObjectBytes) return undefined
  const value = parseJson(bytes.subarray(start, end))
  return isObject(value) && !isDeeper(value, maxDepth) ? value : undefined
}

const parseJson = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(decoder.decode(bytes))
  } catch {
    return undefined
  }
}

export const isDeeper = (value: unknown, most: number): boolean => {
  if (typeof value !== 'object' || value === null) return false
  if (most === 0) return true
  for (const inner of Object.values(value)) if (isDeeper(inner, most - 1)) return true
  return false
}

/**
 * Whether an object looks like an entry: it has an id, and also a status, a file or a title. Objects inside an entry,
 * such as its blocker, lack these fields.
 */
export const isEntry = (value: WrittenFields | undefined): boolean =>
  typeof value?.['id'] === 'string' && ('status' in value || 'file' in value || 'title' in value)

const mergeMarkers = ['<<<<<<<', '=======', '>>>>>>>', '|||||||']
const valueStarts = '{["-0123456789tfn'

/** Returns the reason why bytes are not an entry, as shown in the quarantine. */
export const whyNotObject = (bytes: Uint8Array): string => {
  if (bytes.length > maxObjectBytes) return 'is larger than the limit for an entry'
  if (bytes.includes(0)) return 'contains NUL bytes'
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    return 'is not valid UTF-8'
  }
  if (mergeMarkers.some((marker) => text.startsWith(marker))) return 'is a merge conflict marker'
  const isCut = bytes[0] === openBrace && bytes.at(-1) !== closeBrace
  const value = valueStarts.includes(text[0]!) && !isCut ? parseJson(bytes) : undefined
  if (isObject(value)) return 'is nested too deeply'
  if (value !== undefined) return 'is JSON, but not an object'
  return bytes[0] === openBrace ? 'is cut off, or is not valid JSON' : 'is not JSON'
}

const isBlank = (byte: number | undefined): boolean =>
  byte === newline || byte === 0x20 || byte === 0x09 || byte === 0x0d

/** Returns the offset after any spaces, tabs, line ends and byte order marks. */
export const skipBlank = (bytes: Uint8Array, from: number): number => {
  for (let at = from; ; ) {
    if (isBlank(bytes[at])) at++
    else if (bytes[at] === 0xef && bytes[at + 1] === 0xbb && bytes[at + 2] === 0xbf) at += 3
    else return at
  }
}

export const trimEnd = (bytes: Uint8Array, start: number, end: number): number => {
  let at = end
  while (at > start && isBlank(bytes[at - 1])) at--
  return at
}

export const lineEnd = (bytes: Uint8Array, at: number): number => {
  const found = bytes.indexOf(newline, at)
  return found < 0 ? bytes.length : found
}
