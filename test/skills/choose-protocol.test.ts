import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chooseSkill, protocolChooser } from '../../src/skills/choose-skill.ts'
import { openCatalogue } from '../../src/skills/skill-catalogue.ts'
import { withTemp } from '../support/temp.ts'
import { opened, put, skillText } from './skill-files.ts'
import { ownOrdinary, ownTraps } from './titles.ts'

const labels = [
  [],
  ['area-1'],
  ['Research'],
  ['specification', 'ct-validator'],
  ['ct-spec-writer'],
  ['hers'],
  ['area-1', 'testing'],
]

test('[SKILL-4] the protocol alone is chosen as with the skill, for any labels', () =>
  withTemp(async (root) => {
    mkdirSync(join(root, '.cleo'))
    put(root, 'skills/hers/SKILL.md', skillText('hers'))
    const project = opened(root)
    const catalogue = await openCatalogue(project)
    const chooseProtocol = protocolChooser(project, catalogue)
    const protocols = new Set<string>()
    for (const [title] of [...ownOrdinary, ...ownTraps])
      for (const type of ['task', 'epic'] as const)
        for (const each of labels) {
          const task = { type, title, labels: each, files: [] }
          const { protocol } = chooseSkill(project, catalogue, task).dispatched
          expect(chooseProtocol(task), `${type} ${title} ${each}`).toBe(protocol)
          protocols.add(protocol)
        }
    expect(protocols.size).toBeGreaterThan(4)
  }))
