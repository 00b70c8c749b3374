import * as v from 'valibot'
import { numberedId } from '../kernel/numbered-id.ts'
import type { Style } from '../kernel/style.ts'
import { describe } from '../kernel/text.ts'
import { formatMinute, iso } from '../kernel/time.ts'
import * as memory from './sql.ts'

export const Kind = describe(v.picklist(memory.memoryKinds), 'the kind of memory')

export const memoryShape = () =>
  v.object({
    id: v.string(),
    kind: v.picklist(memory.memoryKinds),
    text: v.string(),
    tasks: v.optional(v.array(v.string())),
    source: v.optional(v.string()),
    by: v.string(),
    session: v.optional(v.string()),
    at: v.string(),
  })
export type Memory = v.InferOutput<ReturnType<typeof memoryShape>>

export const toMemory = (row: memory.MemoryRow, tasks: readonly string[] = []): Memory => ({
  id: numberedId('M', row.seq),
  kind: row.kind,
  text: row.text,
  ...(tasks.length > 0 && { tasks: [...tasks] }),
  ...(row.source !== null && { source: row.source }),
  by: row.actor,
  ...(row.session !== null && { session: row.session }),
  at: iso(row.at),
})

const origin = ({ by, at, session, tasks, source }: Memory): string =>
  [
    by,
    formatMinute(at),
    ...(session ? [session] : []),
    ...(tasks ?? []),
    ...(source ? [`from ${source}`] : []),
  ].join(' · ')

export const drawMemory = (memory: Memory, style: Style): string[] => [
  `${style.cyan(memory.id)} ${memory.kind}  ${style.dim(origin(memory))}`,
  ...memory.text.split('\n').map((line) => `  ${line}`),
]
