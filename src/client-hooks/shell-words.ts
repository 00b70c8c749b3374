/** A word of a command as it is written. */
export interface Word {
  /**
   * The value of the word. Undefined if the word contains a variable, a substitution or a pattern, because only a
   * shell can compute these.
   */
  value?: string
  /** True if the shell could turn the word into several words, or none. */
  splits: boolean
  /** The text before the first part that only a shell can compute. */
  prefix: string
  start: number
  end: number
}

export const wordEnds = ' \t\n;&|()<>'
const mostOpen = 30
const special = '*?[~{'

/** Reads a command line word by word. A subclass decides which words form a command. */
export abstract class WordReader {
  protected readonly text: string
  protected at: number
  protected readonly end: number
  /** False if the text contains a form that is not parsed here. Also false if a shell would refuse the text. */
  protected sure = true
  /** How many expansions enclose the current position. */
  private open = 0

  constructor(text: string, start: number, end: number) {
    this.text = text
    this.at = start
    this.end = end
  }

  /** Parses commands up to and including the closing parenthesis. */
  protected abstract parenthesis(): void
  /** Parses a part of the text as commands. */
  protected abstract nest(start: number, end: number): void

  protected get char(): string {
    return this.at < this.end ? this.text[this.at]! : ''
  }

  protected next(length: number): string {
    return this.text.slice(this.at, Math.min(this.at + length, this.end))
  }

  protected word(): Word {
    const start = this.at
    let value = ''
    let prefix: string | undefined
    let splits = false
    const dynamic = (alsoSplits: boolean) => {
      prefix ??= value
      splits ||= alsoSplits
    }
    while (this.at < this.end && this.sure) {
      const { char } = this
      if (char === "'") value += this.singleQuoted()
      else if (char === '"') {
        const quoted = this.doubleQuoted()
        if (quoted.dynamic) {
          prefix ??= value + quoted.value
          // `"$@"` can become several words, or none.
          splits ||= quoted.several
        }
        value += quoted.value
      } else if (char === '\\') {
        if (this.next(2) !== '\\\n') value += this.text[this.at + 1] ?? ''
        this.at += 2
        if (this.at > this.end) this.sure = false
      } else if (char === '$' || char === '`') {
        const quoted = this.next(2)
        if (quoted === "$'" || quoted === '$"') {
          dynamic(false)
          this.ansiQuoted()
        } else if (this.expansion()) dynamic(true)
        else value += '$'
      } else if ((char === '<' || char === '>') && this.next(2)[1] === '(') {
        dynamic(false)
        this.at += 2
        this.parenthesis()
      } else if (wordEnds.includes(char)) break
      else {
        if (special.includes(char)) dynamic(true)
        value += char
        this.at++
      }
    }
    const isKnown = prefix === undefined
    return { ...(isKnown && { value }), prefix: prefix ?? value, splits, start, end: this.at }
  }

  private singleQuoted(): string {
    const close = this.text.indexOf("'", this.at + 1)
    if (close < 0 || close >= this.end) {
      this.sure = false
      this.at = this.end
      return ''
    }
    const value = this.text.slice(this.at + 1, close)
    this.at = close + 1
    return value
  }

  /** Skips `$'…'` and `$"…"` without computing their value. */
  private ansiQuoted(): void {
    this.at++
    if (this.char === '"') return void this.doubleQuoted()
    this.at++
    while (this.at < this.end && this.char !== "'") this.at += this.char === '\\' ? 2 : 1
    if (this.at >= this.end) this.sure = false
    this.at++
  }

  private doubleQuoted(): { value: string; dynamic: boolean; several: boolean } {
    let value = ''
    let dynamic = false
    let several = false
    this.at++
    while (this.at < this.end && this.char !== '"' && this.sure) {
      const { char } = this
      if (char === '\\') {
        const next = this.text[this.at + 1] ?? ''
        if (!dynamic) value += next === '\n' ? '' : '$`"\\'.includes(next) ? next : `\\${next}`
        this.at += 2
      } else if (char === '$' || char === '`') {
        if (this.next(2) === '$@' || this.next(3) === '${@' || /^\$\{[^}]*\[@\]/.test(this.next(80)))
          several = true
        if (this.expansion()) dynamic = true
        else if (!dynamic) value += '$'
      } else {
        if (!dynamic) value += char
        this.at++
      }
    }
    if (this.at >= this.end) this.sure = false
    this.at++
    return { value, dynamic, several }
  }

  /** Reads `$name`, `${…}`, `$(…)` or a backtick. Returns false for a `$` that stands for itself. */
  protected expansion(): boolean {
    // Real commands do not nest expansions more deeply than this. Parsing deeper ones could overflow the stack.
    if (++this.open > mostOpen) this.sure = false
    const isExpansion = this.sure && this.readExpansion()
    this.open--
    return isExpansion
  }

  private readExpansion(): boolean {
    if (this.char === '`') {
      this.backticks()
      return true
    }
    const next = this.text[this.at + 1] ?? ''
    if (this.next(3) === '$((') this.sure = false
    else if (next === '(') {
      this.at += 2
      this.parenthesis()
    } else if (next === '{') this.braces()
    else if (/[A-Za-z_]/.test(next)) {
      this.at++
      while (/[A-Za-z0-9_]/.test(this.char)) this.at++
    } else if (next !== '' && '@*#?-$!0123456789'.includes(next)) this.at += 2
    else {
      this.at++
      return false
    }
    return true
  }

  private backticks(): void {
    const start = ++this.at
    while (this.at < this.end && this.char !== '`') this.at += this.char === '\\' ? 2 : 1
    if (this.at >= this.end || this.text.slice(start, this.at).includes('\\')) this.sure = false
    else this.nest(start, this.at)
    this.at++
  }

  /** Skips `${…}`, but parses a substitution inside it. */
  private braces(): void {
    this.at += 2
    while (this.at < this.end && this.char !== '}' && this.sure) {
      const { char } = this
      if (char === "'") this.singleQuoted()
      else if (char === '"') this.doubleQuoted()
      else if (char === '\\') this.at += 2
      else if (char === '$' || char === '`') this.expansion()
      else this.at++
    }
    if (this.at >= this.end) this.sure = false
    this.at++
  }
}
