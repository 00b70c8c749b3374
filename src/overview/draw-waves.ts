import type { Style } from '../kernel/style.ts'

interface Analyzed {
  epic: string
  waves: string[][]
  criticalPath: string[]
  blockedOutside: { id: string; on: string[] }[]
  counts: Record<string, number>
}

const perWave = 12

export const drawWaves = (
  { epic, waves, criticalPath, blockedOutside, counts }: Analyzed,
  style: Style,
): string[] => {
  const open = counts['pending']! + counts['active']! + counts['blocked']!
  const total = Object.values(counts).reduce((sum, n) => sum + n, 0)
  const task = (id: string) => `${style.cyan(id)} ${style.title(id)}`.trimEnd()
  const rows = waves.flatMap((wave, i) => [
    ...wave.slice(0, perWave).map((id, n) => [n === 0 ? style.bold(`  wave ${i + 1}`) : '', task(id)]),
    ...(wave.length > perWave ? [['', style.dim(`and ${wave.length - perWave} more`)]] : []),
  ])
  const outside = blockedOutside
    .slice(0, perWave)
    .map(({ id, on }, n) => [
      n === 0 ? style.yellow('  outside') : '',
      `${task(id)}  ${style.dim(`waits on ${on.join(', ')}`)}`,
    ])
  return [
    `${style.bold(style.title(epic) || epic)} · ${amount(total, 'task')}, ${open} open · ${amount(waves.length, 'wave')} · critical path ${criticalPath.length}`,
    ...style.table([...rows, ...outside], 1),
    ...(criticalPath.length > 1
      ? [style.dim(`  critical path: ${shortened(criticalPath).join(' → ')}`)]
      : []),
  ]
}

const amount = (n: number, word: string) => `${n} ${word}${n === 1 ? '' : 's'}`
const shortened = (path: string[]) =>
  path.length > 10 ? [...path.slice(0, 5), '…', ...path.slice(-4)] : path
