import type { Host } from '../../host/host.ts'
import type { StandardInput } from '../../host/node-input.ts'
import { inputLimits } from '../../kernel/input-limits.ts'
import type { Problem } from '../../kernel/result.ts'
import type { Flag } from '../../operation/command-table.ts'
import { type ParsedArgs, storeFlag } from './args.ts'

/**
 * White space around a text does not count towards the limit of the text. So this many bytes are read in addition to
 * the limit.
 */
const margin = 1024

/** A character has at most four bytes. */
const maxInputBytes = ({ limit }: Flag): number => {
  if (limit === undefined) return inputLimits.value
  const count = Number.parseInt(limit, 10)
  return margin + (limit.endsWith('characters') ? count * 4 : count)
}

/**
 * Reads the input for a flag. If the value of the flag is an open descriptor such as `/dev/fd/63`, reads from there.
 * Otherwise reads standard input. Returns a problem if the input is longer than allowed.
 */
export const readInputFor = async (
  parsed: ParsedArgs,
  flag: Flag,
  { readInput }: Pick<Host, 'readInput'>,
): Promise<Problem[]> => {
  const value = parsed.input[flag.key]
  const folder = '/dev/fd/'
  const descriptor =
    typeof value === 'string' && value.startsWith(folder) ? Number(value.slice(folder.length)) : 0
  return takeInput(parsed, flag, await readInput(maxInputBytes(flag), descriptor))
}

/**
 * Replaces a flag's value `-` by standard input. If the flag takes rows, the input is a JSON array or JSONL. Returns
 * problems about limits, and adds all other problems to `parsed`.
 */
export const takeInput = (parsed: ParsedArgs, flag: Flag, given: StandardInput | undefined): Problem[] => {
  const { input, problems } = parsed
  if (given && 'text' in given) {
    if (flag.kind === 'rows') return takeRows(given.text, flag, parsed)
    storeFlag(flag, given.text.replace(/\n$/, ''), parsed)
    return []
  }
  delete input[flag.key]
  if (given && 'over' in given) {
    const limit = flag.limit ?? `${inputLimits.value} bytes`
    return [{ path: flag.key, message: `standard input is limited to ${limit}` }]
  }
  const why = given ? `cannot read it: ${given.reason}` : 'pipe a file into it'
  problems.push({ path: flag.name, message: `${flag.name} reads standard input; ${why}` })
  return []
}

const takeRows = (text: string, flag: Flag, { input, problems }: ParsedArgs): Problem[] => {
  const body = text.replace(/^\uFEFF/, '').trim()
  const rows: unknown[] = []
  // Replace `-` even if the rows are invalid, so that other checks do not treat `-` as a row.
  input[flag.key] = rows
  if (body.startsWith('[')) return takeArray(body, flag, { input, problems })
  let number = 0
  for (const line of linesIn(body)) {
    number++
    if (line.trim() === '') continue
    if (rows.length + problems.length >= inputLimits.batchRows) return [tooManyRows(flag)]
    if (jsonExtent(line, jsonLimits).depth > inputLimits.jsonDepth) return [tooDeep(`line ${number}`)]
    try {
      rows.push(JSON.parse(line))
    } catch {
      const message = `Line ${number} of standard input is not valid JSON.`
      problems.push({ path: `line ${number}`, message })
    }
  }
  return []
}

const jsonLimits = { depth: inputLimits.jsonDepth, items: inputLimits.batchRows }

const takeArray = (body: string, flag: Flag, { input, problems }: Pick<ParsedArgs, 'input' | 'problems'>) => {
  const { depth, items } = jsonExtent(body, jsonLimits)
  if (depth > inputLimits.jsonDepth) return [tooDeep(flag.key)]
  if (items > inputLimits.batchRows) return [tooManyRows(flag)]
  try {
    input[flag.key] = JSON.parse(body)
  } catch {
    // Do not quote the error of the parser, because each runtime words JSON errors differently.
    problems.push({ path: flag.key, message: 'Standard input is not a valid JSON array.' })
  }
  return []
}

function* linesIn(text: string): Iterable<string> {
  for (let start = 0; start <= text.length; ) {
    const end = text.indexOf('\n', start)
    yield text.slice(start, end < 0 ? text.length : end)
    if (end < 0) return
    start = end + 1
  }
}

const tooManyRows = ({ key }: Flag): Problem => ({
  path: key,
  message: `is limited to ${inputLimits.batchRows} rows`,
})
const tooDeep = (path: string): Problem => ({
  path,
  message: `is nested more than ${inputLimits.jsonDepth} levels deep`,
})

/** How deep a JSON text is nested, and how many items its outermost array has. */
interface JsonExtent {
  depth: number
  items: number
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Measures a JSON text in one pass, without parsing it. Stops when the text exceeds a limit, so that even a very deep
 * or long text takes little time and memory.
 */
export const jsonExtent = (text: string, most: JsonExtent): JsonExtent => {
  let depth = 0
  let deepest = 0
  let items = 1
  for (let at = 0; at < text.length && deepest <= most.depth && items <= most.items; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at)
    else if (code === openBracket || code === openBrace) {
      depth++
      if (depth > deepest) deepest = depth
    } else if (code === closeBracket || code === closeBrace) depth--
    else if (code === comma && depth === 1) items++
  }
  return { depth: deepest, items }
}

/** Returns the position of the quote that ends a string. If the quote is missing, returns the end of the text. */
const endOfString = (text: string, start: number): number => {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes++
    if (slashes % 2 === 0) return end
  }
  return text.length
}
