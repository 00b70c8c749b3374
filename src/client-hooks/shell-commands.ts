import { type Word, WordReader, wordEnds } from './shell-words.ts'

/** One program call inside a command line. */
export interface SimpleCommand {
  /** Words of the form `NAME=value` before the program. */
  assignments: Word[]
  /** The program and its arguments, without redirections. */
  words: Word[]
  /** True if the call is inside a substitution, a subshell or a quoted command, as in `bash -c '…'`. */
  nested: boolean
}

export interface ParsedLine {
  commands: SimpleCommand[]
  /** True if the line is a single call of one program, with nothing before or after it. */
  single: boolean
  /**
   * False if the line contains a form that this parser does not know. Also false if a shell would refuse the line.
   */
  sure: boolean
}

/**
 * Lists every program call in a command line for a POSIX shell or bash. The time is proportional to the length of the
 * line.
 */
export const parseLine = (text: string): ParsedLine =>
  // Do not parse a line with a carriage return or a NUL character. A shell reads these characters as parts of
  // words, but a terminal does not show them. So the line can do something other than what a person reads.
  /[\r\0]/.test(text)
    ? { commands: [], single: false, sure: false }
    : new Parser(text, 0, text.length, 0).line()

/** Substitutions and quoted commands that are nested deeper than this are not parsed. */
const deepest = 12

const blanks = ' \t'

/**
 * Keywords of the shell. Another command can follow such a word, for example after `if` or `!`. A few of these
 * words, such as `fi` and `}`, also end a compound command.
 */
const keywords = new Set([
  'if',
  'then',
  'elif',
  'else',
  'fi',
  'while',
  'until',
  'do',
  'done',
  '!',
  '{',
  '}',
  'time',
])
/** Words that begin a form that this parser does not know. */
const unknownForms = new Set(['case', 'esac', 'function', 'select', 'coproc', '[['])

interface HereDocument {
  delimiter: string
  quoted: boolean
  dashed: boolean
}

class Parser extends WordReader {
  private readonly depth: number
  private readonly commands: SimpleCommand[] = []
  private readonly documents: HereDocument[] = []
  private calls = 0
  private operators = 0

  constructor(text: string, start: number, end: number, depth: number) {
    super(text, start, end)
    this.depth = depth
  }

  line(): ParsedLine {
    this.list(false)
    if (this.at < this.end || this.documents.length > 0) this.sure = false
    const { commands, sure } = this
    return { commands, sure, single: sure && this.calls === 1 && this.operators === 0 }
  }

  /** Reads commands up to the end of the text or, inside parentheses, up to the closing parenthesis. */
  private list(inside: boolean): void {
    let command: SimpleCommand | undefined
    const finish = () => {
      if (command && command.words.length + command.assignments.length > 0) this.take(command)
      command = undefined
    }
    while (this.at < this.end && this.sure) {
      const { char } = this
      if (blanks.includes(char)) this.at++
      else if (this.next(2) === '\\\n') this.at += 2
      else if (char === '#') this.skipLine()
      else if (char === '\n') {
        finish()
        this.at++
        this.readDocuments()
      } else if (this.redirection()) continue
      else if (char === ')') {
        finish()
        if (inside) return
        this.sure = false
      } else if (char === '(') {
        // A parenthesis after a word belongs to a function or an array. This parser does not parse functions and
        // arrays.
        if (command) this.sure = false
        else this.group()
      } else if (char === ';' || char === '&' || char === '|') {
        finish()
        this.operators++
        const double = this.next(2)
        if (double === ';;' || double === ';&') this.sure = false
        this.at += double === '&&' || double === '||' || double === '|&' ? 2 : 1
      } else command = this.addWord(command)
    }
    finish()
    if (inside) this.sure = false
  }

  private addWord(command: SimpleCommand | undefined): SimpleCommand | undefined {
    const word = this.word()
    const { value } = word
    const added = command ?? { assignments: [], words: [], nested: this.depth > 0 }
    if (added.words.length === 0) {
      const written = this.text.slice(word.start, word.end)
      if (unknownForms.has(written)) this.sure = false
      if (keywords.has(written) && added.assignments.length === 0) {
        this.operators++
        return undefined
      }
      if (isAssignment(written)) {
        added.assignments.push(word)
        return added
      }
    }
    if (value === '') word.prefix = ''
    added.words.push(word)
    return added
  }

  private take(command: SimpleCommand): void {
    this.calls++
    this.commands.push(command)
    this.quotedCommand(command)
  }

  /** Parses the command in `bash -c '…'` and `eval '…'`. */
  private quotedCommand({ words }: SimpleCommand): void {
    const name = words[0]?.value?.split('/').at(-1)
    if (name === 'eval') return this.inner(words[1])
    if (name !== 'bash' && name !== 'sh' && name !== 'zsh' && name !== 'dash') return
    const flag = words.findIndex(
      ({ value }, i) => i > 0 && value !== undefined && /^-[a-z]*c[a-z]*$/.test(value),
    )
    if (flag > 0) this.inner(words[flag + 1])
  }

  /** Parses the text between the quotes of a word as commands. Does not parse text with escapes or inner quotes. */
  private inner(word: Word | undefined): void {
    if (!word || this.depth >= deepest) return
    const quote = this.text[word.start]
    if (quote !== "'" && quote !== '"') return
    if (word.value !== this.text.slice(word.start + 1, word.end - 1)) {
      // The quoted text has escapes or inner quotes, so positions in its value differ from positions in the line.
      // So the parser cannot tell where in the line a call of `cleo` begins.
      if (word.value?.includes('cleo')) this.sure = false
      return
    }
    this.nest(word.start + 1, word.end - 1)
  }

  protected nest(start: number, end: number): void {
    if (this.depth >= deepest) {
      this.sure = false
      return
    }
    const inner = new Parser(this.text, start, end, this.depth + 1)
    const { commands, sure } = inner.line()
    this.commands.push(...commands)
    if (!sure) this.sure = false
  }

  /** Reads a subshell. */
  private group(): void {
    if (this.next(2) === '((') {
      this.sure = false
      return
    }
    this.operators++
    this.at++
    this.parenthesis()
  }

  /** Parses commands up to and including the closing parenthesis. */
  protected parenthesis(): void {
    if (this.depth >= deepest) {
      this.sure = false
      return
    }
    const inner = new Parser(this.text, this.at, this.end, this.depth + 1)
    inner.list(true)
    // If there is no closing parenthesis, the inner parser has read up to the end of the text.
    const closed = inner.at < this.end && this.text[inner.at] === ')'
    this.commands.push(...inner.commands)
    if (!closed || !inner.sure || inner.documents.length > 0) this.sure = false
    this.at = inner.at + 1
  }

  private skipLine(): void {
    while (this.at < this.end && this.char !== '\n') this.at++
  }

  /** Reads a redirection with its target, if one begins here. */
  private redirection(): boolean {
    const start = this.at
    let at = start
    while (at < this.end && this.text[at]! >= '0' && this.text[at]! <= '9') at++
    const two = this.text.slice(at, Math.min(at + 2, this.end))
    if (at === start && two === '&>') at += 2
    else if (two[0] !== '<' && two[0] !== '>') return false
    // `<(` and `>(` begin a process substitution, which is a word and not a redirection.
    else if (two[1] === '(') return false
    else at += this.operatorLength(at)
    const operator = this.text.slice(start, at).replace(/^\d+/, '')
    this.at = at
    if (operator === '&>' && this.char === '>') this.at++
    while (blanks.includes(this.char) && this.char !== '') this.at++
    if (
      this.at >= this.end ||
      (wordEnds.includes(this.char) && this.next(2) !== '<(' && this.next(2) !== '>(')
    ) {
      this.sure = false
      return true
    }
    const target = this.word()
    if (operator === '<<' || operator === '<<-') this.document(target, operator === '<<-')
    return true
  }

  private operatorLength(at: number): number {
    const three = this.text.slice(at, Math.min(at + 3, this.end))
    if (three === '<<<' || three === '<<-') return 3
    return ['<<', '>>', '<&', '>&', '<>', '>|'].includes(three.slice(0, 2)) ? 2 : 1
  }

  private document({ value, start, end }: Word, dashed: boolean): void {
    const written = this.text.slice(start, end)
    if (value === undefined) this.sure = false
    else this.documents.push({ delimiter: value, quoted: /['"\\]/.test(written), dashed })
  }

  /** Skips the here-documents that begin on the previous line, but parses the substitutions in them. */
  private readDocuments(): void {
    for (const { delimiter, quoted, dashed } of this.documents.splice(0)) {
      const start = this.at
      for (;;) {
        if (this.at >= this.end) {
          // The here-document has no end mark. Bash accepts this with a warning, but most likely it is a mistake.
          this.sure = false
          return
        }
        const from = this.at
        const to = this.text.indexOf('\n', from)
        const stop = to < 0 || to > this.end ? this.end : to
        const line = this.text.slice(from, stop)
        this.at = Math.min(stop + 1, this.end)
        if ((dashed ? line.replace(/^\t+/, '') : line) !== delimiter) continue
        if (!quoted) this.substitutionsIn(start, from)
        break
      }
    }
  }

  private substitutionsIn(start: number, end: number): void {
    const body = new Parser(this.text, start, end, this.depth)
    while (body.at < body.end && body.sure) {
      if (body.char === '\\') body.at += 2
      else if (body.char === '$' || body.char === '`') body.expansion()
      else body.at++
    }
    this.commands.push(...body.commands)
    if (!body.sure) this.sure = false
  }
}

const isAssignment = (written: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*\+?=/.test(written)
