import { closed, type Status } from '../kernel/task.ts'
import { printable } from '../print/printable.ts'
import type { Analysis } from './waves.ts'

interface Drawn {
  id: string
  title: string
  parent: string | null
  status: Status
}
interface Edge {
  task: string
  needs: string
}
type Draw = (nodes: readonly Drawn[], edges: readonly Edge[], found: Analysis) => string

const mermaid: Draw = (nodes, edges) =>
  [
    'flowchart LR',
    ...nodes.slice(1).map(({ id, title, status }) => `  ${id}["${id} ${mermaidText(title)}"]:::${status}`),
    ...edges.map(({ task, needs }) => `  ${needs} --> ${task}`),
    ...nodes.slice(1).flatMap(({ id, parent }) => (parent === nodes[0]!.id ? [] : [`  ${parent} -.- ${id}`])),
    '  classDef done fill:#d5e8d4,color:#000',
    '  classDef active fill:#fff2cc,color:#000',
    '  classDef blocked fill:#f8cecc,color:#000',
    '  classDef cancelled fill:#eeeeee,color:#888888',
    '',
  ].join('\n')

// Mermaid decodes entities in labels. So every character that could end the label or start markup is written as an
// entity.
const mermaidText = (title: string) =>
  printable(title).replace(/[^\p{L}\p{N} .,:()/+-]/gu, (char) => `#${char.codePointAt(0)};`)

const dot: Draw = (nodes, edges) =>
  [
    `digraph ${nodes[0]!.id} {`,
    '  rankdir = LR;',
    '  node [shape = box, style = rounded];',
    ...nodes
      .slice(1)
      .map(
        ({ id, title, status }) =>
          `  ${id} [label = "${dotText(`${id} ${title}`)}"${closed(status) ? ', color = gray' : ''}];`,
      ),
    ...edges.map(({ task, needs }) => `  ${needs} -> ${task};`),
    '}',
    '',
  ].join('\n')

const dotText = (text: string) => printable(text).replace(/[\\"]/g, '\\$&')

const text: Draw = (nodes, edges, { waves, blockedOutside }) => {
  const titles = new Map(nodes.map(({ id, title }) => [id, printable(title)]))
  const needs = Map.groupBy(edges, ({ task }) => task)
  const line = (id: string, on = needs.get(id)?.map((edge) => edge.needs) ?? []) =>
    `  ${id} ${titles.get(id) ?? ''}${on.length > 0 ? `  ← ${on.join(', ')}` : ''}`
  return [
    ...waves.flatMap((wave, i) => [`wave ${i + 1}`, ...wave.map((id) => line(id))]),
    ...(blockedOutside.length > 0
      ? ['waits on tasks outside', ...blockedOutside.map(({ id, on }) => line(id, on))]
      : []),
    '',
  ].join('\n')
}

export const drawings: Record<'text' | 'mermaid' | 'dot', Draw> = { text, mermaid, dot }
