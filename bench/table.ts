export interface Row {
  name: string
  values: number[]
}

/** Prints the rows with their bars, and a star at each figure past its bar. */
export const print = (
  heading: string,
  rows: readonly Row[],
  bars: Bars,
  columns: readonly number[] = [],
): void => {
  const heads = columns.map((tasks) => tasks.toLocaleString('en'))
  console.log(`\n${line(heading, [...heads, ...(columns.length > 0 ? ['bar'] : [])])}`)
  for (const row of rows) {
    const bar = bars[row.name]
    const cells = row.values.map((value) => value.toFixed(2))
    console.log(
      line(`  ${row.name}`, [...cells, bar === undefined ? '' : `${bar}${isPast(row, bars) ? ' *' : ''}`]),
    )
  }
}

export type Bars = Readonly<Record<string, number>>

export const isPast = ({ name, values }: Row, bars: Bars): boolean =>
  bars[name] !== undefined && Math.max(...values) > bars[name]

const line = (name: string, cells: readonly string[]): string =>
  name.padEnd(44) + cells.map((cell) => cell.padStart(10)).join('')
