import { expect, test } from 'vitest'
import { schemaVersion } from '../../src/store/generated/schema-version.ts'
import { onEveryStore } from '../support/project.ts'

onEveryStore((withProject, name) => {
  test('status shows the database, its schema and how many tasks it holds', () =>
    withProject(async ({ must }) => {
      await must('tasks.add', { title: 'one' })
      const status = await must('admin.db.status', {})
      expect(status).toMatchObject({ store: name, schema: schemaVersion, tasks: 1 })
      expect(status.version).toMatch(/^\d+\.\d+/)
      expect(status.bytes).toBeGreaterThan(0)
      expect(status.where).not.toContain('password')
    }))
})
