import { toJsonSchema } from '@valibot/to-json-schema'
import { expect, test } from 'vitest'
import { allOperations } from '../../scripts/operations.ts'
import type { Schema } from '../../scripts/shape-text.ts'

/** Fields of manifest entries, agent files and skills, spelled as the documents of the old protocol spell them. */
const oldProtocol = new Set([
  ...['agent_type', 'key_findings', 'needs_followup', 'linked_tasks'],
  ...['subagent_type', 'allowed_tools', 'allowed_commands'],
  ...['token_budget', 'dispatch_triggers'],
])

/** Returns every key of a schema with the schema of its value, at any depth. */
const keysOf = (schema: Schema): [string, Schema][] => [
  ...Object.entries(schema.properties ?? {}).flatMap(([key, value]): [string, Schema][] => [
    [key, value],
    ...keysOf(value),
  ]),
  ...(schema.anyOf ?? []).flatMap(keysOf),
  ...(schema.items ? keysOf(schema.items) : []),
  ...(typeof schema.additionalProperties === 'object' ? keysOf(schema.additionalProperties) : []),
]

const operations = await allOperations()
const answers = operations.map(({ operation: { name, output } }) => ({
  name,
  keys: keysOf(toJsonSchema(output(), { typeMode: 'input' }) as Schema),
}))

const found = (wrong: (key: string, schema: Schema) => boolean): string[] =>
  answers.flatMap(({ name, keys }) =>
    keys.flatMap(([key, schema]) => (wrong(key, schema) ? [`${name}: ${key}`] : [])),
  )

test('[OUT-1] the keys of every answer are camelCase, but for fields of the old protocol', () => {
  expect(answers.flatMap(({ keys }) => keys).length).toBeGreaterThan(300)
  expect(found((key) => !oldProtocol.has(key) && !/^[a-z][a-zA-Z0-9]*$/.test(key))).toEqual([])
})

test('[OUT-1] the id of another thing ends in Id; `task`, `spawn` and `entry` are whole things', () => {
  const things = ['task', 'spawn', 'entry']
  expect(found((key, { type }) => things.includes(key) && type === 'string')).toEqual([])
  const spellings = ['agentType', 'followups', 'followup', 'op', 'task_id', 'subagentType']
  expect(found((key) => spellings.includes(key))).toEqual([])
})
