/** One line of the plot: what a command cost at each number of tasks. */
export interface Line {
  name: string
  points: readonly { tasks: number; cost: number }[]
}

const width = 860
const height = 420
const box = { left: 56, right: 210, top: 36, bottom: 48 }
const colours = [
  '#0b6e99',
  '#c2571a',
  '#3d8b37',
  '#8a3ab9',
  '#b3261e',
  '#6b5b00',
  '#00796b',
  '#455a64',
  '#ad1457',
  '#1a237e',
  '#827717',
  '#5d4037',
]

/** Draws cost against number of tasks, on logarithmic axes. A flat line means that the cost does not grow. */
export const plot = (title: string, lines: readonly Line[]): string => {
  const all = lines.flatMap(({ points }) => points)
  const sizes = [...new Set(all.map(({ tasks }) => tasks))].sort((a, b) => a - b)
  const most = Math.max(...all.map(({ cost }) => cost))
  const costs = [1, 1.5, 2, 3, 5, 10, 20, 50, 100].filter((_, i, steps) => i < 3 || steps[i - 1]! < most)
  const x = (tasks: number) => scale(tasks, sizes[0]!, sizes.at(-1)!, box.left, width - box.right)
  const y = (cost: number) => scale(cost, 0.8, costs.at(-1)!, height - box.bottom, box.top)
  const ends = spread(lines.map(({ points }) => y(points.at(-1)!.cost)))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<title>${title}</title>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    text(box.left, 20, title, 'font-weight="bold"'),
    ...costs.map((cost) =>
      [
        `<path d="M${box.left} ${y(cost)}H${width - box.right}" stroke="#ddd"/>`,
        text(box.left - 8, y(cost) + 4, String(cost), 'text-anchor="end"'),
      ].join(''),
    ),
    ...sizes.map((tasks) =>
      text(x(tasks), height - box.bottom + 18, tasks.toLocaleString('en'), 'text-anchor="middle"'),
    ),
    text((box.left + width - box.right) / 2, height - 10, 'tasks in the project', 'text-anchor="middle"'),
    ...lines.map(({ name, points }, i) => {
      const colour = colours[i % colours.length]!
      const path = points.map(({ tasks, cost }) => `${x(tasks)},${y(cost)}`).join(' ')
      const label = text(width - box.right + 10, ends[i]! + 4, name, `fill="${colour}"`)
      return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>${label}`
    }),
    '</svg>\n',
  ].join('\n')
}

const scale = (value: number, from: number, to: number, start: number, end: number): number =>
  Math.round((start + ((end - start) * Math.log(value / from)) / Math.log(to / from)) * 10) / 10

/** Spaces the labels evenly around their middle, in the same order, so that they do not cover each other. */
const spread = (heights: readonly number[]): number[] => {
  const order = heights.map((_, i) => i).sort((a, b) => heights[a]! - heights[b]!)
  const middle = heights.reduce((sum, height) => sum + height, 0) / heights.length
  const first = middle - ((heights.length - 1) * lineHeight) / 2
  const placed: number[] = []
  for (const [place, i] of order.entries()) placed[i] = Math.round(first + place * lineHeight)
  return placed
}
const lineHeight = 15

const text = (x: number, y: number, words: string, more = ''): string =>
  `<text x="${x}" y="${y}" ${more}>${words}</text>`
