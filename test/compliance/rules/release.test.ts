import { expect, test } from 'vitest'
import { type TestProject, withProject } from '../../support/project.ts'
import {
  addTask,
  append,
  commit,
  git,
  lineOf,
  repository,
  rulings,
  type Sent,
  send,
} from '../../support/subagent.ts'

const release = { title: 'Release 1.2.0', labels: ['release'] }
const files = {
  'package.json': '{"name":"shop","version":"1.2.0"}\n',
  VERSION: '1.2.0\n',
  'CHANGELOG.md':
    '# Changes\n\n## Unreleased\n\n## [1.2.0] - 2026-01-01\n\n- People can sign up.\n\n## 1.1.0\n\n- Begin.\n',
}

const released = async (
  project: TestProject,
  {
    change = {},
    tag = 'v1.2.0',
    entry = {},
  }: { change?: Record<string, string>; tag?: string; entry?: object },
): Promise<Sent> => {
  repository(project.root)
  const sent = await send(project, await addTask(project, release))
  await sent.as.must('focus.set', { id: 'T002' })
  commit(project.root, 'Release 1.2.0\n\nTask: T002', { ...files, ...change })
  await sent.as.must('verify.gate', { id: 'T002', gate: 'testsPassed', evidence: 'tool:test' })
  if (tag) git(project.root, 'tag', tag)
  await append(sent, { entry })
  return sent
}

test('[PROT-1] a release with one version, changelog, gates and tag is valid, even after the next release', () =>
  withProject(async (project) => {
    await released(project, {})
    await project.must('orchestrate.receive', { id: 'T002', message: lineOf('Release') })
    commit(project.root, 'Release 1.3.0', { 'package.json': '{"version":"1.3.0"}\n', VERSION: '1.3.0\n' })
    const head = git(project.root, 'rev-parse', 'v1.2.0').slice(0, 7)
    expect(await rulings(project, 'T002')).toMatchObject({
      'RLSE-001': ['pass', '1.2.0'],
      'RLSE-002': ['pass', 'CHANGELOG.md has 1.2.0'],
      'RLSE-003': ['pass', `testsPassed, documented at ${head}`],
      'RLSE-004': ['pass', `v1.2.0 at ${head}`],
      'RLSE-006': ['pass', '1.2.0 in package.json, VERSION, CHANGELOG.md'],
      'RLSE-007': ['pass', 'T002-release-1-2-0 has agent_type release'],
    })
    expect(await project.must('orchestrate.validate', { id: 'T002' })).toMatchObject({ valid: true })
  }))

test('[PROT-1] an invalid or inconsistent version breaks RLSE-001, 002, 004 and 006', () =>
  withProject(async (project) => {
    await released(project, {
      change: { 'package.json': '{"version":"1.2"}', 'CHANGELOG.md': '# Changes\n\n## 1.2.0\n\n' },
      entry: { agentType: 'research' },
    })
    expect(await rulings(project, 'T002')).toMatchObject({
      'RLSE-001': ['fail', '1.2 is not a semantic version'],
      'RLSE-002': ['fail', 'CHANGELOG.md has no entry for 1.2'],
      'RLSE-004': ['fail', 'there is no tag v1.2, and the entry names none'],
      'RLSE-006': [
        'fail',
        'the task says 1.2.0, package.json says 1.2, VERSION says 1.2.0, not 1.2, CHANGELOG.md says 1.2.0, not 1.2',
      ],
      'RLSE-007': ['fail', 'T002-release-1-2-0 has agent_type "research", not release'],
    })
  }))

test('[OUT-2] the fixes of a release name the version that the task asks for', () =>
  withProject(async (project) => {
    const old = { 'package.json': '{"version":"1.1.0"}', VERSION: '1.1.0\n', 'CHANGELOG.md': '# Changes\n' }
    await released(project, { tag: '', change: old })
    const answer = await project.call('orchestrate.validate', { id: 'T002' })
    const fixes = answer.ok ? [] : (answer.problems ?? []).map(({ path, fix }) => `${path} ${fix}`)
    expect(fixes.filter((fix) => fix.startsWith('RLSE-'))).toEqual([
      expect.stringMatching(/^RLSE-002 .*"Describe 1\.2\.0"/),
      expect.stringMatching(/^RLSE-004 .* --tag v1\.2\.0 /),
      expect.stringMatching(/^RLSE-006 .*"Set the version to 1\.2\.0"/),
    ])
  }))

test('[PROT-1] gates must hold at the tagged commit', () =>
  withProject(async (project) => {
    await released(project, { tag: '', change: { 'CHANGELOG.md': '# Changes\n\n## v1.2.0\n' } })
    expect(await rulings(project, 'T002')).toMatchObject({
      'RLSE-002': ['fail', 'CHANGELOG.md has an empty entry for 1.2.0'],
      'RLSE-004': ['fail', 'there is no tag v1.2.0, and the entry names none'],
    })
    const tested = git(project.root, 'rev-parse', 'HEAD').slice(0, 7)
    const later = commit(project.root, 'One more thing').slice(0, 7)
    git(project.root, 'tag', '-a', '-m', 'release', 'v1.2.0')
    expect((await rulings(project, 'T002'))['RLSE-003']).toEqual([
      'fail',
      `testsPassed was proved at ${tested}, the tag is at ${later}`,
    ])
    git(project.root, 'reset', '-q', '--hard', 'HEAD~1')
    expect((await rulings(project, 'T002'))['RLSE-004']).toEqual([
      'fail',
      `v1.2.0 is at ${later}, which is not part of this history`,
    ])
  }))

test('[PROT-1] missing test evidence breaks RLSE-003, a missing version RLSE-001', () =>
  withProject(async (project) => {
    repository(project.root)
    const sent = await send(project, await addTask(project, release))
    await sent.as.must('focus.set', { id: 'T002' })
    await append(sent)
    expect(await rulings(project, 'T002')).toMatchObject({
      'RLSE-001': ['fail', 'no file has a version'],
      'RLSE-002': ['na', 'no file has a version'],
      'RLSE-003': ['fail', 'testsPassed is unset'],
    })
  }))
