/**
 * Code that the types must reject. It is never run, only checked by `tsc`, which reports an unmet `@ts-expect-error`.
 */
import * as v from 'valibot'
import { openProject } from '../../src/index.ts'
import { fail, ok } from '../../src/kernel/result.ts'
import { operation } from '../../src/operation/operation.ts'

const shape = {
  name: 'tasks.example',
  kind: 'query',
  tier: 0,
  summary: 'An example.',
  input: v.strictObject({ id: v.string() }),
  output: () => v.object({ id: v.string(), count: v.number() }),
} as const

/** This one compiles, which shows that each of the others fails for the reason that it names. */
export const sound = operation({
  ...shape,
  errors: ['task.not_found'],
  cli: { command: 'example', positional: ['id'], examples: ['cleo example T001'] },
  human: ({ id, count }) => [`${id} ${count}`],
  run: async ({ id }, { store }) =>
    (await store.get('')) ? ok({ id, count: 1 }) : fail('task.not_found', { id }),
})

export const undeclaredCode = operation({
  ...shape,
  errors: ['task.not_found'],
  cli: { command: 'example', examples: ['cleo example T001'] },
  // @ts-expect-error an error code that is not declared
  run: async ({ id }) => (id ? ok({ id, count: 1 }) : fail('focus.missing', { actor: id })),
})

export const unknownCode = operation({
  ...shape,
  // @ts-expect-error a code that is not in the catalogue
  errors: ['task.misplaced'],
  cli: { command: 'example', examples: ['cleo example T001'] },
  run: async ({ id }) => ok({ id, count: 1 }),
})

export const wrongOutput = operation({
  ...shape,
  errors: [],
  cli: { command: 'example', examples: ['cleo example T001'] },
  // @ts-expect-error an output that does not fit its schema
  run: async ({ id }) => ok({ id, count: 'one' }),
})

export const unknownPositional = operation({
  ...shape,
  errors: [],
  // @ts-expect-error a positional that is not an input
  cli: { command: 'example', positional: ['task'], examples: ['cleo example T001'] },
  run: async ({ id }) => ok({ id, count: 1 }),
})

export const noExample = operation({
  ...shape,
  errors: [],
  // @ts-expect-error a command without an example
  cli: { command: 'example', examples: [] },
  run: async ({ id }) => ok({ id, count: 1 }),
})

export const storeOfAProject = operation({
  ...shape,
  errors: [],
  needs: 'project',
  cli: { command: 'example', examples: ['cleo example T001'] },
  // @ts-expect-error a store, when the operation needs only the project
  run: async ({ id }, { store }) => ok({ id, count: store ? 1 : 0 }),
})

export const calls = async (): Promise<unknown[]> => {
  const project = openProject()
  const answer = await project.call('tasks.complete', { id: 'T001' })
  return [
    // @ts-expect-error an unknown key
    await project.call('tasks.complete', { id: 'T001', force: true }),
    // @ts-expect-error a value of another type
    await project.call('tasks.complete', { id: 1 }),
    // @ts-expect-error a key that is missing
    await project.call('tasks.complete', {}),
    // @ts-expect-error a word that is not one of the choices
    await project.call('tasks.add', { title: 'x', priority: 'urgent' }),
    // @ts-expect-error an unknown operation
    await project.call('tasks.archive', { id: 'T001' }),
    // @ts-expect-error a value before `ok` was checked
    answer.value,
    // @ts-expect-error a field that the answer does not have
    answer.ok && answer.value.title,
    // @ts-expect-error a code that this operation never returns
    !answer.ok && answer.code === 'parent.not_found',
    // @ts-expect-error a store code that only restore returns
    !answer.ok && answer.code === 'backup.invalid',
  ]
}

export const facts = [
  // @ts-expect-error facts that are missing
  fail('task.not_found', {}),
  // @ts-expect-error facts of another code
  fail('task.not_found', { path: ['T001'] }),
  // @ts-expect-error a fact of another type
  fail('cycle', { path: 'T001', contains: false }),
  // @ts-expect-error an unknown code
  fail('task.lost', { id: 'T001' }),
]
