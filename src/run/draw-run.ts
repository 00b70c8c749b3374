import type { Style } from '../kernel/style.ts'
import type { LivePicture } from '../operation/context.ts'
import { printable } from '../print/printable.ts'
import type { RunState } from '../schedule/run-state.ts'
import type { AgentNow } from './agents-of-run.ts'
import type { RunNews } from './ledger.ts'
import { newsLine, oneLine } from './news-line.ts'
import { usageText, withUsage } from './run-usage.ts'

/** What the live view can read and do while the driver works. */
export interface DriverNow {
  state(): RunState
  agents(): AgentNow[]
  /** Ends the agent of one task. The task then waits for a person. */
  stopOne(task: string): void
  /** Unblocks a task that waits for a person, so that the run tries the task again. */
  tryAgain(task: string): void
}

export interface RunPicture extends LivePicture {
  hear(news: RunNews): void
}

interface Shown {
  /** The first line of the view, such as `R001  T001 Prices and carts  claude, 3 at once`. */
  title: string
  waves: readonly (readonly string[])[]
  /** The title of each task that the epic had when the run began. */
  titles: ReadonlyMap<string, string>
  endOfLog(spawn: string): string
  now(): number
}

const mostRecent = 8
const mostWaves = 6
const logLines = 12

export const runPicture = (driver: DriverNow, { title, waves, titles, endOfLog, now }: Shown): RunPicture => {
  const began = now()
  const recent: RunNews[] = []
  const merged = new Set<string>()
  const waiting = new Map<string, string>()
  let failures = 0
  let chosen = 0
  let chosenTask = 0
  let below: 'news' | 'log' | 'inbox' = 'news'
  const current = () => driver.agents().at(Math.min(chosen, driver.agents().length - 1))
  /** Returns the position of the chosen task among the tasks that wait for a person. */
  const asked = () => Math.min(chosenTask, waiting.size - 1)
  const choose = (by: number) => () => {
    if (below === 'inbox') chosenTask = Math.max(0, asked() + by)
    else chosen = Math.max(0, chosen + by)
  }
  const toggle = (what: 'log' | 'inbox') => () => {
    below = below === what ? 'news' : what
  }
  const lowerPart = (style: Style): string[] => {
    if (below === 'inbox')
      return waiting.size === 0
        ? [style.dim('Nothing waits for you.')]
        : [
            ...[...waiting].flatMap(([task, why], n) => {
              const isChosen = n === asked()
              // Show the whole reason of the chosen task, because a person has to decide about it.
              const [first = '', ...more] = isChosen ? style.wrap(why, (style.width ?? 100) - 10, 6) : [why]
              return [
                `${isChosen ? '▸' : ' '} ${style.red('■')} ${style.cyan(task)} ${first}`,
                ...more.map((line) => `${' '.repeat(9)}${line}`),
              ]
            }),
            style.dim('a tries it again · other answers: cleo inbox in another terminal'),
          ]
    const agent = current()
    if (below === 'log' && agent)
      return endOfLog(agent.spawn).trimEnd().split('\n').slice(-logLines).map(plain)
    return recent.flatMap((news) => newsLine(news, style) ?? [])
  }
  return {
    hear: (news) => {
      if (news.kind === 'merged' && news.task) merged.add(news.task)
      if (news.kind === 'failed') failures++
      if (news.kind === 'ask' && news.task) waiting.set(news.task, oneLine(String(news['reason'] ?? '')))
      if (newsLine(news, unstyled) !== undefined) recent.push(news)
      if (recent.length > mostRecent) recent.shift()
    },
    keys: {
      j: choose(1),
      k: choose(-1),
      a: () => {
        const task = below === 'inbox' ? [...waiting.keys()][asked()] : undefined
        if (task === undefined) return
        waiting.delete(task)
        driver.tryAgain(task)
      },
      l: toggle('log'),
      i: toggle('inbox'),
      x: () => {
        const agent = current()
        if (agent) driver.stopOne(agent.task)
      },
    },
    lines: (style) => {
      const state = driver.state()
      const agents = driver.agents()
      chosen = Math.min(chosen, Math.max(0, agents.length - 1))
      return [
        `${style.bold(oneLine(title))}  ${style.dim(duration(now() - began))}`,
        ...agents.map((agent, n) =>
          agentLine({ ...agent, title: titles.get(agent.task) }, n === chosen, now(), style),
        ),
        ...(agents.length === 0 ? [style.dim('  no agent works')] : []),
        '',
        ...(waves.length > 0 ? [waveLine(waves, { merged, waiting, state }, style)] : []),
        ...countLines({ merged: merged.size, waiting: waiting.size, failures, state }, style),
        '',
        ...lowerPart(style),
        '',
        style.dim(
          state.stopping
            ? `${state.why}; q again ends the agents`
            : isNarrow(style.width)
              ? 'j k choose · l log · x stop · i inbox · q end'
              : (style.width ?? 100) < 90
                ? 'j k choose · l log · x stop it · i inbox · q stops after these agents'
                : 'j k choose an agent · l its log · x stop it · i inbox · q lets agents finish and stops',
        ),
      ]
    },
  }
}

const agentLine = (
  { spawn, since, action, usage, title = '' }: AgentNow & { title?: string | undefined },
  isChosen: boolean,
  now: number,
  style: Style,
): string =>
  [
    `${isChosen ? '▸' : ' '} ${style.cyan(spawn.padEnd(7))} ${duration(now - since).padStart(6)}`,
    ...(hasTitles(style.width) ? [style.fit(plain(title), titleWidth)] : []),
    style.fit(plain(action ?? 'starts'), actionWidth(style.width)),
    ...(isNarrow(style.width) ? [] : [style.dim(usageText(usage))]),
  ]
    .join('  ')
    .trimEnd()

const titleWidth = 32
const hasTitles = (width: number | undefined): boolean => (width ?? 0) >= 120

/**
 * Returns how many columns an agent's action may fill. The line also shows the spawn, its time and its title on the
 * left, and tokens and cost on the right.
 */
const actionWidth = (width: number | undefined): number =>
  width === undefined
    ? 60
    : isNarrow(width)
      ? Math.max(16, width - 18)
      : Math.min(90, width - 18 - 26 - (hasTitles(width) ? titleWidth + 2 : 0))

/**
 * Whether the terminal is too narrow to show the token count of each agent. The sum is still shown, in another
 * line.
 */
const isNarrow = (width: number | undefined): boolean => width !== undefined && width < 70

interface Marks {
  merged: ReadonlySet<string>
  waiting: ReadonlyMap<string, string>
  state: RunState
}

const waveLine = (waves: Shown['waves'], marks: Marks, style: Style): string => {
  const shown = waves
    .slice(0, mostWaves)
    .map((wave) => wave.map((id) => markOf(id, marks, style) + id).join(' '))
  const more = waves.length - shown.length
  return `${shown.join(style.dim(' │ '))}${more > 0 ? style.dim(` │ ${more} more waves`) : ''}`
}

const markOf = (id: string, { merged, waiting, state }: Marks, style: Style): string => {
  if (merged.has(id)) return style.green('✓')
  if (waiting.has(id)) return style.red('■')
  return state.works.has(id) ? style.yellow('◐') : style.dim('○')
}

const countLines = (
  {
    merged,
    waiting,
    failures,
    state,
  }: { merged: number; waiting: number; failures: number; state: RunState },
  style: Style,
): string[] => {
  let usage = { tokens: 0, cost: 0 }
  for (const each of state.usage.values()) usage = withUsage(usage, each)
  const receiving = [...state.works.values()].filter(({ phase }) => phase === 'receiving').length
  const counts = [
    style.green(`${merged} merged`),
    ...(waiting > 0 ? [style.red(`${waiting} ${waiting === 1 ? 'waits' : 'wait'} for you (i)`)] : []),
    ...(receiving > 0 ? [`${receiving} checking`] : []),
    ...(failures > 0 ? [`${failures} failed`] : []),
  ].join(' · ')
  const used = usageText(usage)
  if (!used) return [counts]
  return isNarrow(style.width) ? [counts, used] : [`${counts} · ${used}`]
}

const duration = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const minutes = Math.floor(seconds / 60)
  const rest = `${String(minutes % 60).padStart(minutes < 60 ? 1 : 2, '0')}:${String(seconds % 60).padStart(2, '0')}`
  return minutes < 60 ? rest : `${Math.floor(minutes / 60)}:${rest}`
}

/** Escapes control characters, because an agent can print characters that move the cursor. */
const plain = (text: string): string => printable(text.replaceAll(/\s+/g, ' '))

const unstyled = { dim: (text: string) => text, cyan: (text: string) => text } as Style
