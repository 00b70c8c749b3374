import { expect, test } from 'vitest'
import { withProject } from '../support/project.ts'
import { names, put } from './skill-files.ts'

test('[SKILL-1] a match in the name ranks before one in the description', () =>
  withProject(async ({ root, must }) => {
    put(root, 'skills/notes/SKILL.md', '---\nname: notes\ndescription: Writes release notes.\n---\n')
    expect(names(await must('skills.find', { query: 'relea' }))).toEqual(['ct-release', 'notes'])
    expect(names(await must('skills.find', { query: 'Release NOTES' }))).toContain('notes')
    expect(names(await must('skills.find', { query: 'zebra' }))).toEqual([])
    expect(names(await must('skills.find', { query: '---' }))).toEqual([])
  }))
