import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Session, SessionLine } from '../test/clients/session.ts'

const recorded = join(import.meta.dirname, '..', 'test', 'clients', 'recorded')

/** Returns a picture of each session that was recorded with a real client. The key is the path of the picture. */
export const sessionPictures = (): Map<string, string> =>
  new Map(
    readdirSync(recorded)
      .filter((name) => name.startsWith('session-'))
      .map((name) => {
        const session = JSON.parse(readFileSync(join(recorded, name), 'utf8')) as Session
        return [`docs/guide/clients/${session.name ?? session.client}.svg`, picture(session)]
      }),
  )

const width = 860
const lineHeight = 18
/** The space above the lines of the next agent. */
const gap = 8
const columns = { who: 16, text: 92 }
/** How many characters fit to the right of the names. The rest of a longer line is indented by `indent`. */
const most = 104
const indent = 4

/** Colours on white, and on black for readers whose system is dark. All have a contrast of at least 4.5. */
const style = `<style>
text { font: 12px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1f2328 }
.title { font-weight: bold }
.card { fill: #fff; stroke: #d1d9e0 }
.lead { fill: #0b6e99 }
.worker { fill: #2a6f25 }
.answer { fill: #59636e }
.refusal { fill: #b3261e }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 }
.card { fill: #0d1117; stroke: #3d444d }
.lead { fill: #6cb6ff }
.worker { fill: #7ec77a }
.answer { fill: #9aa4af }
.refusal { fill: #ff8f85 }
}
</style>`
const names: Record<string, string> = { lead: 'lead', worker: 'T002.1' }
const titles: Record<string, string> = {
  claude: 'Claude Code',
  codex: 'Codex',
  gemini: 'Gemini CLI',
  opencode: 'OpenCode',
  copilot: 'Copilot CLI',
  qwen: 'Qwen Code',
}

interface Row {
  /** The agent. If the same agent acts in several rows, only the first of these rows has it. */
  who?: string
  text: string
  class?: string
}

const picture = ({ client, version, lines }: Session): string => {
  const title = `${titles[client]} ${version}, with a scripted model`
  const rows = joined(lines).flatMap(rowsOf)
  let below = 24
  const placed = rows.map(({ who, ...row }) => {
    below += lineHeight + (who ? gap : 0)
    return { ...row, who, y: below }
  })
  const height = below + 20
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" xml:space="preserve">`,
    `<title>${title}</title>`,
    style,
    `<rect class="card" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="6"/>`,
    text(columns.who, 24, title, 'title'),
    ...placed.flatMap(({ who, text: words, class: name, y }) => [
      ...(who ? [text(columns.who, y, names[who] ?? who, who)] : []),
      text(columns.text, y, words, name),
    ]),
    '</svg>\n',
  ].join('\n')
}

/** If one agent reads or writes several files one after the other, joins these steps into one line. */
const joined = (lines: readonly SessionLine[]): SessionLine[] => {
  const rows: SessionLine[] = []
  for (const line of lines) {
    const last = rows.at(-1)
    if (last && last.who === line.who && isFile(last) && isFile(line)) last.does += ` · ${line.does}`
    else rows.push({ ...line })
  }
  return rows
}

const isFile = ({ does, heard }: SessionLine): boolean =>
  !heard && !/^(?:\$|says:)/.test(does) && !does.includes('cleo-subagent')

const rowsOf = ({ who, does, heard = [] }: SessionLine, i: number, all: readonly SessionLine[]): Row[] => {
  const name = heard[0]?.startsWith('CLEO: ') ? 'refusal' : 'answer'
  const [first = '', ...rest] = wrapped(does.replace(/^says: (.*)$/s, '“$1”'))
  return [
    { ...(all[i - 1]?.who !== who && { who }), text: first },
    ...rest.map((line) => ({ text: line })),
    ...heard.flatMap((line) => wrapped(`  ${line}`).map((each) => ({ text: each, class: name }))),
  ]
}

const wrapped = (line: string): string[] => {
  const plain = line.replaceAll('\n', ' ').replace(/\s+$/, '')
  if (plain.length <= most) return [plain]
  const space = plain.lastIndexOf(' ', most)
  const end = space > most / 2 ? space : most
  return [plain.slice(0, end), ...wrapped(' '.repeat(indent) + plain.slice(end).trimStart())]
}

const text = (x: number, y: number, words: string, name?: string): string =>
  `<text x="${x}" y="${y}"${name ? ` class="${name}"` : ''}>${escaped(words)}</text>`

export const escaped = (words: string): string =>
  words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
