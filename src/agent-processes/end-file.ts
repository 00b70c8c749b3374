import type { Host } from '../host/host.ts'
import { isObject } from '../kernel/json-object.ts'
import { type AgentEnd, type AgentFiles, endings } from './agent.ts'
import { countOf, type Fields, fieldsOf, textOf } from './stream-line.ts'

/** Returns undefined if the watcher has not written the file, or if the file is damaged. */
export const readEnd = ({ files }: Host, { end }: AgentFiles): AgentEnd | undefined => {
  try {
    return endIn(JSON.parse(files.read(end) ?? ''))
  } catch {
    return undefined
  }
}

const mostText = 4000
const mostDenied = 20

/** Leaves out fields with a wrong type or value, because an agent can write the file itself. */
export const endIn = (value: unknown): AgentEnd | undefined => {
  if (!isObject(value)) return undefined
  const fields = value as Fields
  const ending = endings.find((each) => each === fields['ending'])
  if (!ending) return undefined
  const texts = filled(['reason', 'signal', 'lastMessage'], (key) => textOf(fields, key)?.slice(0, mostText))
  const counts = filled(['code', 'cost', 'quotaUntil', 'startedAt'], (key) => countOf(fields, key))
  const tokens = fieldsOf(fields, 'tokens')
  const input = countOf(tokens, 'input')
  const output = countOf(tokens, 'output')
  const session = textOf(fields, 'session')
  const { denied } = fields
  return {
    ...{ ending, ...texts, ...counts },
    denied: Array.isArray(denied)
      ? denied.filter((each): each is string => typeof each === 'string').slice(0, mostDenied)
      : [],
    ...(input !== undefined &&
      output !== undefined && {
        tokens: {
          ...{ input, output },
          ...filled(['cached'], (key) => countOf(tokens, key)),
          ...filled(['model'], (key) => textOf(tokens, key)),
          // Keep this field. Without it, the tokens of a continued session would be counted twice.
          ...(tokens['ofSession'] === true && { ofSession: true as const }),
        },
      }),
    // Check the form of the session id, because it becomes an argument of the client.
    ...(session !== undefined && /^\w[\w.:-]{0,199}$/.test(session) && { session }),
    ...(fields['cleoMissing'] === true && { cleoMissing: true }),
    bytes: countOf(fields, 'bytes') ?? 0,
    leftBehind: countOf(fields, 'leftBehind') ?? 0,
    endedAt: countOf(fields, 'endedAt') ?? 0,
  }
}

const filled = <K extends string, V>(
  keys: readonly K[],
  read: (key: K) => V | undefined,
): Partial<Record<K, V>> => {
  const found: Partial<Record<K, V>> = {}
  for (const key of keys) {
    const value = read(key)
    if (value !== undefined) found[key] = value
  }
  return found
}

/**
 * Returns the `AgentEnd` of an agent whose watcher was killed before it wrote one. `leftBehind` is how many processes
 * of the agent CLEO ended afterwards.
 */
export const lostEnd = ({ now }: Host, leftBehind: number): AgentEnd => ({
  ending: 'watcher lost',
  denied: [],
  bytes: 0,
  leftBehind,
  endedAt: now(),
})
