import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clientNames } from '../../src/kernel/client-names.ts'
import { withProject } from '../support/project.ts'

test('[PROV-2] clients are listed with their program, set-up and hooks', () =>
  withProject(async ({ root, afresh }) => {
    const bin = join(root, '.home/bin')
    mkdirSync(bin, { recursive: true })
    writeFileSync(join(bin, 'gemini'), '#!/bin/sh\n')
    chmodSync(join(bin, 'gemini'), 0o755)
    const { must } = afresh({ PATH: bin })
    const { clients } = await must('agents.clients.list', {})
    expect(clients.map(({ name }) => name)).toEqual(clientNames)
    expect(clients.filter(({ program }) => program)).toEqual([
      { name: 'gemini', title: 'Gemini CLI', program: join(bin, 'gemini'), setUp: false },
    ])
    await must('admin.setup', { yes: true })
    const after = await must('agents.clients.list', {})
    expect(after.clients.filter(({ setUp }) => setUp)).toMatchObject([
      { name: 'gemini', hooks: 'never called' },
    ])
  }))
