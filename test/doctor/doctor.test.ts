import { describe, expect, test } from 'vitest'
import { checks } from '../../src/doctor/all-checks.ts'
import { faultsOf, filesOf, rowsOf } from '../support/doctor.ts'
import { faults, settle } from '../support/planted-faults.ts'
import { onEveryStore } from '../support/project.ts'

onEveryStore((withProject, kind) => {
  describe('[PROJ-6] a planted problem is found by its own check, explained, and fixed if that loses no data', () => {
    for (const { name, check, fixes, exit, says, plant, only } of faults) {
      if (only && only !== kind) continue
      test(name, () =>
        withProject(async (project) => {
          await settle(project)
          expect(await faultsOf(project), 'healthy before').toBeUndefined()
          const store = await project.store()
          const before = { rows: await rowsOf(project), files: filesOf(project.root) }
          await plant(project, store)
          const planted = { rows: await rowsOf(project), files: filesOf(project.root) }

          const found = await faultsOf(project)
          expect(
            found?.problems.map(({ path }) => path),
            'found by its own check alone',
          ).toEqual([check])
          expect(found).toMatchObject({ exit, code: expect.stringMatching(/^doctor\./) })
          expect(found!.problems[0]!.message).toMatch(says)
          const { fix, message } = found!.problems[0]!
          expect(fix ?? message).toMatch(/^cleo |\. [A-Z]/)
          expect(
            { rows: await rowsOf(project), files: filesOf(project.root) },
            'examining changes nothing',
          ).toEqual(planted)
          await project.as('eve').call('admin.doctor', { fix: true }, { dryRun: true })
          expect({ rows: await rowsOf(project), files: filesOf(project.root) }, 'nor does a dry run').toEqual(
            planted,
          )

          const left = await faultsOf(project, true)
          if (!fixes) {
            expect(left?.problems).toEqual(found!.problems)
            expect({ rows: await rowsOf(project), files: filesOf(project.root) }).toEqual(planted)
            return
          }
          expect(left, 'fixed').toBeUndefined()
          const fixed = { rows: await rowsOf(project), files: filesOf(project.root) }
          if (fixes === 'back') expect(fixed).toEqual(before)
          const again = await project.as('eve').must('admin.doctor', { fix: true })
          expect(again, 'a second run changes nothing').toEqual({ checked: checks.length, fixed: [] })
          expect({ rows: await rowsOf(project), files: filesOf(project.root) }).toEqual(fixed)
        }),
      )
    }
  })
})
