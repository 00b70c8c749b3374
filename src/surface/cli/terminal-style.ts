import type { Style } from '../../kernel/style.ts'
import type { Terminal } from './cli.ts'
import { columns } from './columns.ts'

/** Colours for a terminal that has them; NO_COLOR and a dumb terminal are obeyed, FORCE_COLOR too. */
export const inkFor = (
  env: Readonly<Record<string, string | undefined>>,
  { isTerminal, width }: Pick<Terminal, 'isTerminal' | 'width'>,
  titles: ReadonlyMap<string, string> = new Map(),
): Style => {
  const wanted = env['NO_COLOR']
    ? false
    : env['FORCE_COLOR']
      ? env['FORCE_COLOR'] !== '0'
      : isTerminal && env['TERM'] !== 'dumb'
  const paint = (code: number, end: number) => (text: string) =>
    wanted && text ? `\u001b[${code}m${text}\u001b[${end}m` : text
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    cyan: paint(36, 39),
    title: (id) => titles.get(id) ?? '',
    table: (rows, flexible) => columns(rows, width, flexible),
  }
}
