export interface Row {
  name: string
  /** One figure for each column, usually a ratio of wall times. */
  values: number[]
  /** Ratios of CPU time, if measured. */
  cpu?: number[]
}

export type Bars = Readonly<Record<string, number>>

export const isPast = ({ name, values }: Row, bars: Bars): boolean =>
  bars[name] !== undefined && Math.max(...values) > bars[name]

export interface Table {
  heading: string
  rows: Row[]
  /** The number of tasks in each column. Missing if there is only one column. */
  columns?: readonly number[]
}

/** Prints each row with its limit (`bar`), and a star if the row exceeds it. CPU ratios are in brackets. */
export const print = ({ heading, rows, columns = [] }: Table, bars: Bars): void => {
  const heads = columns.map((tasks) => tasks.toLocaleString('en'))
  console.log(`\n${line(heading, [...heads, 'bar'])}`)
  for (const row of rows) console.log(line(`  ${row.name}`, [...cells(row), barOf(row, bars)]))
}

export const markdown = ({ heading, rows, columns = [] }: Table, bars: Bars): string => {
  const heads = columns.length > 0 ? columns.map((tasks) => tasks.toLocaleString('en')) : ['measured']
  const row = (all: readonly string[]) => `| ${all.join(' | ')} |\n`
  return [
    row([heading, ...heads, 'bar']),
    `|${'---|'.repeat(heads.length + 2)}\n`,
    ...rows.map((each) => row([each.name, ...cells(each), barOf(each, bars)])),
  ].join('')
}

const cells = ({ values, cpu }: Row): string[] =>
  values.map((value, i) => (cpu ? `${value.toFixed(2)} (${cpu[i]!.toFixed(2)})` : value.toFixed(2)))

const barOf = (row: Row, bars: Bars): string =>
  bars[row.name] === undefined ? '' : `${bars[row.name]}${isPast(row, bars) ? ' *' : ''}`

const line = (name: string, cells: readonly string[]): string =>
  name.padEnd(48) + cells.map((cell) => cell.padStart(14)).join('')
