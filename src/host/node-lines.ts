/** Lines of text over standard input and output, for a server that talks with one client. */
export interface LineChannel {
  listen(listener: LineListener): void
  write(line: string): void
}

export interface LineListener {
  line(text: string): void
  /** A line that is longer than the limit. Only its first and last bytes are kept. */
  tooLong(line: { start: string; end: string; bytes: number }): void
  /** The client has closed its end. Called once, after the last line. */
  end(): void
}

const newline = 0x0a
const keptOfLongLine = 4096

/** Reads lines of at most `maxBytes`. A longer line does not use more memory and does not end the channel. */
export const standardLines = (maxBytes: number): LineChannel => {
  let isOpen = true
  process.stdout.on('error', () => {
    // The client is gone; the end of standard input follows.
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
  let kept: Buffer[] = []
  let bytes = 0
  let start = ''
  const take = (part: Buffer): void => {
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
  let hasEnded = false
  const end = (): void => {
    if (hasEnded) return
    hasEnded = true
    if (bytes > 0) finish()
    listener.end()
  }
  input.on('data', (chunk: Buffer) => {
    let from = 0
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      take(chunk.subarray(from, at))
      finish()
      from = at + 1
    }
    if (from < chunk.length) take(chunk.subarray(from))
  })
  input.on('end', end)
  input.on('close', end)
  input.on('error', end)
}
