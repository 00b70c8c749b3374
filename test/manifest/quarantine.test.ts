import { expect, test } from 'vitest'
import { echo, outputs, withSpawnedTask } from '../support/manifest-project.ts'
import { onEveryStore } from '../support/project.ts'

onEveryStore((withProject) => {
  test('[MANI-2] lines in quarantine are listed newest first, with file, offset, length and reason', () =>
    withSpawnedTask(withProject, async (project) => {
      echo(project, '[1]\nResearch complete.\n')
      await project.must('pipeline.manifest.sync', {})
      const file = `${outputs}/MANIFEST.jsonl`
      expect(await project.must('pipeline.manifest.quarantine', {})).toEqual({
        lines: [
          { n: 2, file, byte: 4, bytes: 18, reason: 'is not JSON', text: 'Research complete.' },
          { n: 1, file, byte: 0, bytes: 3, reason: 'is JSON, but not an object', text: '[1]' },
        ],
      })
      const first = await project.call('pipeline.manifest.quarantine', { limit: 1 })
      expect(first).toMatchObject({ value: { lines: [{ n: 2 }] }, page: { total: 2, next: '2' } })
      expect(await project.must('pipeline.manifest.quarantine', { limit: 1, after: 2 })).toMatchObject({
        lines: [{ n: 1 }],
      })
      expect(await project.call('pipeline.manifest.quarantine', { after: 0 })).toMatchObject({
        code: 'input.invalid',
      })
    }))

  test('[MANI-2] a long line is cut, --full shows up to 4 KiB of it, and the same line is kept once', () =>
    withSpawnedTask(withProject, async (project) => {
      echo(project, `${'x'.repeat(5000)}\n`.repeat(2))
      expect(await project.must('pipeline.manifest.sync', {})).toMatchObject({ quarantined: 1 })
      const textOf = async (input: object) =>
        (await project.must('pipeline.manifest.quarantine', input)).lines.map(({ text }) => text)
      expect(await textOf({})).toEqual([`${'x'.repeat(160)} …`])
      expect(await textOf({ full: true })).toEqual(['x'.repeat(4096)])
    }))
})
