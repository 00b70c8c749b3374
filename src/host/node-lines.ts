/** Reads and writes lines of text on standard input and output, for a server that talks with one client. */
export interface LineChannel {
  listen(listener: LineListener): void
  write(line: string): void
}

export interface LineListener {
  line(text: string): void
  /** Called for a line that is longer than the limit. Only its first and last bytes are kept. */
  tooLong(line: { start: string; end: string; bytes: number }): void
  /** Called once, after the last line, when the input has ended. */
  end(): void
}

const newline = 0x0a
const keptOfLongLine = 4096

/** Reads lines of at most `maxBytes`. Of a longer line, only the two ends are kept in memory, and reading continues. */
export const standardLines = (maxBytes: number): LineChannel => {
  let isOpen = true
  process.stdout.on('error', () => {
    // The client is gone. Standard input then ends too, and `listenTo` reports the end.
    isOpen = false
  })
  return {
    listen: (listener) => listenTo(process.stdin, maxBytes, listener),
    write: (line) => {
      if (isOpen) process.stdout.write(`${line}\n`)
    },
  }
}

const listenTo = (input: NodeJS.ReadStream, maxBytes: number, listener: LineListener): void => {
  const lines = lineSplitter(maxBytes, listener)
  let hasEnded = false
  const end = (): void => {
    if (hasEnded) return
    hasEnded = true
    lines.end()
    listener.end()
  }
  input.on('data', lines.take)
  input.on('end', end)
  input.on('close', end)
  input.on('error', end)
}

export interface LineSplitter {
  take(chunk: Buffer): void
  /** Reports a last line that has no newline. */
  end(): void
}

/** Splits bytes into lines of at most `maxBytes` and skips blank lines. Bytes that are not UTF-8 become U+FFFD. */
export const lineSplitter = (
  maxBytes: number,
  listener: Pick<LineListener, 'line' | 'tooLong'>,
): LineSplitter => {
  let kept: Buffer[] = []
  let bytes = 0
  let start = ''
  const add = (part: Buffer): void => {
    bytes += part.length
    kept.push(part)
    if (bytes <= maxBytes) return
    const all = Buffer.concat(kept)
    if (start === '') start = all.toString('utf8', 0, keptOfLongLine)
    kept = [Buffer.from(all.subarray(-keptOfLongLine))]
  }
  const finish = (): void => {
    const text = Buffer.concat(kept).toString('utf8')
    if (bytes > maxBytes) listener.tooLong({ start, end: text, bytes })
    else if (text.trim() !== '') listener.line(text)
    kept = []
    bytes = 0
    start = ''
  }
  return {
    take: (chunk) => {
      let from = 0
      for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
        add(chunk.subarray(from, at))
        finish()
        from = at + 1
      }
      if (from < chunk.length) add(chunk.subarray(from))
    },
    end: () => {
      if (bytes > 0) finish()
    },
  }
}
