import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { data, executable, run } from '../support/cleo.ts'
import { hasStrace, openedBy } from '../support/strace.ts'
import { withTemp } from '../support/temp.ts'

const outputs = 'claudedocs/agent-outputs'
const manifest = `${outputs}/MANIFEST.jsonl`

test.skipIf(!hasStrace())(
  '[MANI-5] findings are read without opening the output file or an unchanged manifest',
  () =>
    withTemp((cwd) => {
      const cleo = (...args: string[]) => data(run(executable, args, { cwd }))
      cleo('init')
      cleo('add', 'Compare hashing')
      mkdirSync(join(cwd, outputs), { recursive: true })
      writeFileSync(join(cwd, outputs, 'T001-compare-hashing.md'), 'A secret of the file.')
      const append = [
        'manifest',
        'append',
        '--task',
        'T001',
        '--status',
        'complete',
        '--finding',
        'argon2id it is.',
      ]
      const writing = openedBy(append, cwd)
      expect(writing.paths.filter((path) => path.includes(outputs)).length).toBeGreaterThan(0)
      for (const args of [
        ['manifest', 'show', 'T001'],
        ['manifest', 'show', 'T001-compare-hashing'],
        ['manifest', 'list'],
        ['manifest', 'list', '--agent-type', 'implementation'],
        ['manifest', 'find', 'argon2id'],
        ['manifest', 'find', 'T001'],
        ['manifest', 'stats'],
      ]) {
        const { paths, stdout } = openedBy(args, cwd)
        expect(
          paths.filter((path) => path.includes('claudedocs')),
          args.join(' '),
        ).toEqual([])
        expect(
          paths.some((path) => path.endsWith('cleo.db')),
          args.join(' '),
        ).toBe(true)
        expect(JSON.parse(stdout)).toMatchObject({ success: true })
        expect(stdout).not.toContain('A secret')
      }
      appendFileSync(join(cwd, manifest), '\n')
      const opened = [1, 2].map(() =>
        openedBy(['manifest', 'list'], cwd).paths.filter((path) => path.includes('claudedocs')),
      )
      expect(opened[0], 'a manifest that has changed is read').toContain(join(cwd, manifest))
      expect(opened[1], 'once').toEqual([])
    }),
)
