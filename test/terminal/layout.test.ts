import { describe, expect, test } from 'vitest'
import type { LiveTerminal } from '../../src/host/node-live-terminal.ts'
import { liveScreen } from '../../src/terminal/live-screen.ts'
import { type LiveView, runLive } from '../../src/terminal/live-view.ts'
import { cut, widthOf, wrapWords } from '../../src/terminal/text-width.ts'
import { wrapLines } from '../../src/terminal/wrap-lines.ts'

describe('[OUT-1] the width of a text', () => {
  for (const [text, width] of [
    ['plain', 5],
    ['\u001b[31mred\u001b[39m', 3],
    ['登録', 4],
    ['✅ ✓', 4],
    ['👩‍💻', 2],
    ['👍🏽', 2],
    ['🇩🇪', 2],
    ['e\u0301', 1],
    ['☎️', 2],
    ['한글', 4],
    ['○ ◐ ■ ✗ … │', 11],
  ] as const)
    test(`${JSON.stringify(text)} takes ${width}`, () => expect(widthOf(text)).toBe(width))

  test('a cut text takes the given columns and ends its colours', () => {
    expect(cut('\u001b[31m登録フォーム\u001b[39m', 6)).toBe('\u001b[31m登録… \u001b[39m')
    expect(cut('abcdef', 4)).toBe('abc…')
  })

  test('words are wrapped, and what does not fit is cut', () => {
    expect(wrapWords('one two three four', 9, 2)).toEqual(['one two', 'three fo…'])
    expect(wrapWords('one', 9, 2)).toEqual(['one'])
  })
})

describe('[OUT-1] lines that are wider than the terminal', () => {
  test('break between words, under the text of the line', () => {
    expect(wrapLines(['  status  blocked: nobody has the login'], 24)).toEqual([
      '  status  blocked:',
      '          nobody has the',
      '          login',
    ])
    expect(wrapLines(['✗ one two three'], 9)).toEqual(['✗ one two', '  three'])
  })

  test('a command can be copied: flags keep their values, quotes stay whole', () => {
    const command = '  fix: cleo verify T005 --gate implemented --evidence "files:a b.ts" --as T005.1'
    const lines = wrapLines([command], 46)
    expect(lines).toEqual([
      '  fix: cleo verify T005 --gate implemented \\',
      '       --evidence "files:a b.ts" --as T005.1',
    ])
    expect(lines.join('\n').replaceAll(/ \\\n +/g, ' ')).toBe(command)
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(46)
  })

  test('a word that is wider than the terminal, and a document, stay whole', () => {
    const path = `  see ${'/long'.repeat(20)}`
    expect(wrapLines([path], 40).join('')).toContain('/long'.repeat(20))
    expect(wrapLines(['a document\nof two lines that are long'], 10)).toEqual([
      'a document\nof two lines that are long',
    ])
  })

  test('Japanese, which has no blanks, breaks anywhere', () => {
    for (const line of wrapLines(['登録フォームを作る登録フォームを作る'], 20))
      expect(widthOf(line)).toBeLessThanOrEqual(20)
  })
})

/** A terminal that keeps everything written to it. */
const fakeTerminal = (columns = 30, rows = 6) => {
  const written: string[] = []
  const listeners: { key?: (key: string) => void; signal?: (signal: 'SIGTERM') => void } = {}
  let isClosed = false
  const terminal: LiveTerminal = {
    size: () => ({ columns, rows }),
    write: (text) => {
      written.push(text)
      return true
    },
    takeKeys: (listener) => {
      listeners.key = listener
    },
    onResize: () => undefined,
    onSignal: (listener) => {
      listeners.signal = listener
    },
    suspend: () => undefined,
    close: () => {
      isClosed = true
    },
  }
  return { terminal, written, listeners, isClosed: () => isClosed }
}

describe('[OUT-1] a live view', () => {
  test('writes only lines that changed, and nothing for the same frame', () => {
    const { terminal, written } = fakeTerminal()
    const screen = liveScreen(terminal)
    screen.draw(['one', 'two', 'three'])
    screen.draw(['one', 'two', 'three'])
    expect(written).toHaveLength(1)
    screen.draw(['one', 'TWO', 'three'])
    expect(written[1]).toContain('\u001b[2A')
    expect(written[1]).toContain('TWO')
    expect(written[1]).not.toContain('one')
  })

  test('never clears the screen, uses no other screen and fills no last column', () => {
    const { terminal, written } = fakeTerminal(10)
    const screen = liveScreen(terminal)
    screen.draw(['a line that is too long', ...Array.from({ length: 20 }, (_, i) => `line ${i}`), 'keys'])
    screen.end()
    const text = written.join('')
    expect(text).not.toMatch(/\u001b\[(?:2J|3J|H|\?1049h|\?47h)/)
    expect(text).toContain('a line t…')
    expect(text).toContain('keys')
    expect(text.split('\r\n')).toHaveLength(6)
  })

  test('ends by q, by a signal, by a key of its own and by what it shows, with the terminal given back', async () => {
    const view: LiveView<{ stream: boolean }> = {
      hasChanged: async () => false,
      lines: async () => ['x'],
      keys: { s: () => ({ stream: true }) },
    }
    for (const [press, ended] of [
      ['q', 0],
      ['\u0003', 130],
      ['s', { stream: true }],
    ] as const) {
      const fake = fakeTerminal()
      const running = runLive(view, fake.terminal, () => 0)
      fake.listeners.key!(press)
      expect(await running).toEqual(ended)
      expect(fake.isClosed()).toBe(true)
    }
    const fake = fakeTerminal()
    const running = runLive(view, fake.terminal, () => 0)
    fake.listeners.signal!('SIGTERM')
    expect(await running).toBe(143)
    const broken = fakeTerminal()
    const failing = { ...view, lines: () => Promise.reject(new Error('a bug')) }
    await expect(runLive(failing, broken.terminal, () => 0)).rejects.toThrow('a bug')
    expect(broken.isClosed()).toBe(true)
  })
})
