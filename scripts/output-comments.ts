import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'oxc-parser'
import * as v from 'valibot'

/**
 * This module puts the comments of output fields into the reference pages. The schemas do not contain these texts,
 * because that would slow down the program. While this module is preloaded, Node loads each commented field in
 * `src` as a call of `describeOutput`.
 */
let isOn = false

/** Builds output schemas in which every commented field has its comment as description. */
export const withComments = <T>(build: () => T): T => {
  isOn = true
  try {
    return build()
  } finally {
    isOn = false
  }
}

type Described = v.GenericSchema & { type: string; wrapped?: v.GenericSchema }

const describeOutput = (value: unknown, comment: string): unknown => {
  const schema = value as Described | undefined
  if (!isOn || schema?.kind !== 'schema') return value
  return schema.type === 'optional'
    ? v.optional(describeOutput(schema.wrapped, comment) as v.GenericSchema)
    : v.pipe(schema, v.description(comment))
}

Object.assign(globalThis, { describeOutput })

interface Node {
  type: string
  start: number
  end: number
  value?: Node
  method?: boolean
  shorthand?: boolean
}

const withCalls = (path: string, text: string): string => {
  const { program, comments } = parseSync(path, text)
  const edits: { at: number; text: string }[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    for (const child of Object.values(node)) visit(child)
    const { type, start, value, method, shorthand } = node as Node
    if (type !== 'Property' || !value || method || shorthand) return
    const comment = comments.find(({ end }) => end <= start && text.slice(end, start).trim() === '')
    if (!comment?.value.startsWith('*')) return
    const words = comment.value
      .replaceAll(/^\*|^\s*\*/gm, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim()
    edits.push({ at: value.start, text: 'globalThis.describeOutput(' })
    edits.push({ at: value.end, text: `, ${JSON.stringify(words)})` })
  }
  visit(program)
  // Begin with the last edit, so that the positions of the other edits stay right. If two fields end at the same
  // position, the call of the inner field must be closed first.
  return edits
    .map((edit, order) => ({ ...edit, order }))
    .sort((a, b) => b.at - a.at || b.order - a.order)
    .reduce((whole, { at, text: added }) => whole.slice(0, at) + added + whole.slice(at), text)
}

const sources = new URL('../src/', import.meta.url).href

registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context)
    if (!url.startsWith(sources) || !url.endsWith('.ts')) return loaded
    const path = fileURLToPath(url)
    const text = readFileSync(path, 'utf8')
    return text.includes("from 'valibot'") ? { ...loaded, source: withCalls(path, text) } : loaded
  },
})
