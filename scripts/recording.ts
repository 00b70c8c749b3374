import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseTranscript, type Section } from '../test/support/transcript.ts'
import { escaped } from './session-pictures.ts'

const source = join(import.meta.dirname, '..', 'test', 'cli', 'recording.txt')

/**
 * Returns an animated picture for the README. It shows the session of test/cli/recording.txt, which the tests run.
 */
export const recording = (): string => animation(rowsOf(parseTranscript(readFileSync(source, 'utf8'))))

type Kind = 'comment' | 'command' | 'good' | 'bad' | 'hint' | 'text'

interface Row {
  kind: Kind
  text: string
  /** Seconds from the start until the row is shown. */
  at: number
}

const most = 96
const size = { width: 800, line: 19, left: 18, top: 52 }

/** How long a person needs to read, in seconds. */
const pause = { beforeCommand: 1.4, beforeOutput: 0.7, row: 0.45, end: 6 }

/** Draws only the sections whose heading starts with "# Shown". The others prepare the project. */
const rowsOf = (sections: readonly Section[]): Row[] => {
  const rows: Row[] = []
  let at = 0.3
  const add = (kind: Kind, line: string) => {
    for (const text of wrapped(line)) rows.push({ kind, text, at })
  }
  for (const { heading, steps } of sections) {
    const caption = /^# Shown: (?:\[[\w-]+\] )*(.*)$/.exec(heading[0] ?? '')?.[1]
    if (caption === undefined) continue
    if (rows.length > 0) {
      at += pause.beforeCommand
      add('text', '')
    }
    add('comment', `# ${caption}`)
    for (const { lines, output } of steps) {
      at += pause.beforeCommand
      for (const line of lines) add('command', line)
      at += pause.beforeOutput
      // Leave out the size in model tokens, because it depends on the folder of the project.
      for (const line of output.map((each) => each.replace(/ {2}<n> tokens$/, ''))) {
        add(kindOf(line), line)
        at += pause.row
      }
    }
  }
  return rows
}

const kindOf = (line: string): Kind => {
  if (/^\s*✓/.test(line)) return 'good'
  if (/^\s*✗|^\[exit \d+\]$| claims to be done| is not finished:/.test(line)) return 'bad'
  return /^\s*(?:fix|then|next|return): |^\s+(?:cleo|git) /.test(line) ? 'hint' : 'text'
}

/** Breaks a line between words, or inside a word that is longer than a line. */
const wrapped = (line: string): string[] => {
  const out: string[] = []
  const indent = `${/^\s*/.exec(line)![0]}  `
  for (let rest = line; ; ) {
    if (rest.length <= most) return [...out, rest]
    const blank = rest.lastIndexOf(' ', most)
    const end = blank > indent.length ? blank : most
    out.push(rest.slice(0, end))
    rest = indent + rest.slice(end).trimStart()
  }
}

const style = `
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1f2328; white-space: pre }
.frame { fill: #fff; stroke: #d1d9e0 } .bar { fill: #f6f8fa } .dot { fill: #d1d9e0 }
.comment { fill: #59636e; font-style: italic } .command { font-weight: 600 } .good { fill: #1a7f37 } .bad { fill: #b3261e } .hint { fill: #0b6e99 }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } .frame { fill: #0d1117; stroke: #3d444d } .bar { fill: #161b22 } .dot { fill: #3d444d }
.comment { fill: #9198a1 } .good { fill: #3fb950 } .bad { fill: #ff7b72 } .hint { fill: #79c0ff }
}`

const animation = (rows: readonly Row[]): string => {
  const { width, line, left, top } = size
  const height = top + rows.length * line + 6
  const length = rows.at(-1)!.at + pause.end
  const times = [...new Set(rows.map(({ at }) => at))]
  const frames = times.map((at, i) => {
    const share = ((at / length) * 100).toFixed(2)
    return `@keyframes t${i} { 0%, ${share}% { opacity: 0 } ${(Number(share) + 0.01).toFixed(2)}%, 100% { opacity: 1 } }\n.t${i} { animation: t${i} ${length.toFixed(2)}s linear infinite }`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">`,
    '<title id="title">An agent claims to be done and is refused; it finishes, and its work is landed</title>',
    `<style>${style}`,
    ...frames,
    '@media (prefers-reduced-motion: reduce) { text { animation: none !important } }',
    '</style>',
    `<rect class="frame" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>`,
    `<path class="bar" d="M1 9a8 8 0 0 1 8-8h${width - 18}a8 8 0 0 1 8 8v23H1z"/>`,
    ...[20, 38, 56].map((x) => `<circle class="dot" cx="${x}" cy="17" r="5.5"/>`),
    ...rows.flatMap(({ kind, text, at }, i) =>
      text === ''
        ? []
        : [
            `<text class="${kind} t${times.indexOf(at)}" x="${left}" y="${top + i * line}" xml:space="preserve">${escaped(text)}</text>`,
          ],
    ),
    '</svg>\n',
  ].join('\n')
}
