import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inRepository } from '../../support/implementation.ts'
import { type TestProject, withProject } from '../../support/project.ts'
import { addTask, commit, git, handIn, put, rulings, send } from '../../support/subagent.ts'

const submitted = async (project: TestProject, task: object, work: { text?: string; entry?: object }) => {
  const sent = await send(project, await addTask(project, task))
  await handIn(sent, work)
  return rulings(project, sent.task)
}

const compare = { title: 'Compare hashing', labels: ['research'] }

test('[PROT-1] a report without sources breaks RSCH-002', () =>
  withProject(async (project) => {
    const texts = [
      '## Content\n\nNone.\n',
      '## References\n\n',
      '## References\n\n<!-- - RFC 9106 -->\n- <source>\n- TBD\n- …\n',
      '```\n## References\n- RFC 9106\n```\n',
    ]
    for (const [n, text] of texts.entries()) {
      const ruled = await submitted(project, { ...compare, title: `Compare ${n}` }, { text })
      expect(ruled['RSCH-002']?.[0], text).toBe('fail')
    }
    const good = ['## 4. References\n\n1. RFC 9106\n', '## References:\n\n| source |\n|---|\n| RFC 9106 |\n']
    for (const [n, text] of good.entries()) {
      const ruled = await submitted(project, { ...compare, title: `Compare well ${n}` }, { text })
      expect(ruled['RSCH-002']?.[0], text).toBe('pass')
    }
  }))

test('[PROT-1] complete research needs 3 to 7 findings, partial research one', () =>
  withProject(async (project) => {
    const findings = (n: number) => Array.from({ length: n }, (_, i) => `Finding ${i}.`)
    const partial = { status: 'partial', finding: ['One.'], followup: ['Measure it.'] }
    expect(await submitted(project, compare, { entry: partial })).toMatchObject({
      'RSCH-004': ['pass', 'T002-compare-hashing has 1 finding'],
      'RSCH-006': ['na', 'the entry says partial'],
    })
    const db = await project.store()
    const rewrite = async (key_findings: string[]) => {
      const row = (await db.get<{ body: string }>('SELECT body FROM entries'))!
      const body = {
        ...(JSON.parse(row.body) as object),
        status: 'complete',
        agent_type: 'notes',
        key_findings,
      }
      await db.run("UPDATE entries SET status = 'complete', body = ?", JSON.stringify(body))
      return rulings(project, 'T002')
    }
    expect(await rewrite(findings(2))).toMatchObject({
      'RSCH-006': ['fail', '2 findings; 3 to 7 are required'],
      'RSCH-007': ['fail', 'T002-compare-hashing has agent_type "notes", not research'],
    })
    expect((await rewrite(findings(8)))['RSCH-006']?.[0]).toBe('fail')
    expect(await rewrite([])).toMatchObject({ 'RSCH-004': ['fail', 'T002-compare-hashing has no findings'] })
  }))

test('[PROT-1] an output file outside of the output folder breaks RSCH-003', () =>
  withProject(async (project) => {
    await submitted(project, compare, {})
    expect((await rulings(project, 'T002'))['RSCH-003']?.[0]).toBe('pass')
    const db = await project.store()
    await db.run('UPDATE entries SET body = REPLACE(body, \'"file":"\', \'"file":"../../.cleo/../\')')
    expect((await rulings(project, 'T002'))['RSCH-003']?.[0]).toBe('fail')
  }))

test('[PROT-1] research in its own worktree may change only output', () =>
  inRepository(async (project) => {
    const tree = join(project.root, '..', `${project.root.split('/').at(-1)}-tree`)
    git(project.root, 'worktree', 'add', '-q', tree)
    try {
      await addTask(project, { title: 'Compare hashing', labels: ['research'] })
      const sent = await send(project, 'T002', { worktree: tree })
      await handIn(sent)
      expect((await rulings(project, 'T002'))['RSCH-001']).toEqual([
        'pass',
        'nothing outside the output folders was changed',
      ])
      put(tree, { 'notes.txt': 'mine\n' })
      expect((await rulings(project, 'T002'))['RSCH-001']).toEqual(['fail', 'notes.txt was changed'])
      commit(tree, 'Fix it while I am here', { 'src/a.ts': 'export const a = 2\n' })
      git(project.root, 'merge', '-q', git(tree, 'rev-parse', 'HEAD'))
      expect((await rulings(project, 'T002'))['RSCH-001']).toEqual([
        'fail',
        'notes.txt was changed, src/a.ts was changed',
      ])
      git(project.root, 'worktree', 'remove', '--force', tree)
      expect(await rulings(project, 'T002')).toMatchObject({
        'BASE-004': [
          'pass',
          'claudedocs/agent-outputs/T002-compare-hashing.md, unchanged since T002-compare-hashing',
        ],
        'RSCH-001': ['pass', 'nothing outside the output folders was changed'],
      })
    } finally {
      rmSync(tree, { recursive: true, force: true })
    }
  }))
