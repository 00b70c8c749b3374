import { expect, test } from 'vitest'
import { shellWords } from '../support/shell-words.ts'
import { withTemp } from '../support/temp.ts'
import { shown } from './shown.ts'

/** Characters that act on a terminal, or hide or reorder text. */
const acting =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/u

const payloads = [
  '\u001b[2J\u001b[H',
  '\u001b]0;owned\u0007',
  '\u009b31m',
  '\u202egnp.exe',
  'a\u200bb',
  '\u2066x\u2069',
  '\ufeff',
  '\u{e0041}\u{e007f}',
  '\u0008\u0008\u007f',
]

const views = [
  'board',
  'tree',
  'list --all',
  'status',
  'log --limit 50',
  'log --details --limit 50',
  'show T001',
  'show T002',
  'show T003',
  'next',
  'ready',
  'find x',
  'deps T003',
  'analyze T001',
  'inbox',
  'complete T003',
  'focus set T003',
]

test('[OUT-1] no view prints characters that act on a terminal, whatever field they are in', () =>
  withTemp(async (root) => {
    const cleo = (...argv: string[]) => shown(root, argv)
    await cleo('init')
    for (const payload of payloads) {
      const text = `x ${payload} y`
      // Some fields refuse such characters. Wherever a field accepts them, they must be shown without having an
      // effect.
      await cleo('add', `Epic ${text}`, '--type', 'epic', '--description', text)
      await cleo('add', `Epic x`, '--type', 'epic')
      await cleo(
        'add',
        `Task ${text}`,
        '--parent',
        'T001',
        '--acceptance',
        text,
        '--description',
        `${text}\n${text}`,
      )
      await cleo('note', 'T001', text)
      await cleo('block', 'T001', '--reason', text)
    }
    await cleo('add', 'Waits x', '--parent', 'T001', '--depends', 'T002')
    expect(await cleo('log', '--limit', '50', '--json')).toMatch(/\\u001b|\\u202e/)
    for (const view of views)
      for (const width of [undefined, 30, 100]) {
        const text = await shown(root, shellWords(view), { width, env: { NO_COLOR: '1' } })
        expect(acting.exec(text)?.[0], `${view} at ${width}: ${JSON.stringify(text)}`).toBeUndefined()
      }
    // A program gets a document unchanged. At a terminal, such characters of the document are escaped.
    const document = await shown(root, ['export', '--markdown'], { width: 100 })
    expect(document).toContain('\\u{1b}')
    expect(acting.exec(document)?.[0], JSON.stringify(document)).toBeUndefined()
  }))
