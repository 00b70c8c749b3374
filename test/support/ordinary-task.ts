import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from './project.ts'

const description = `Build the sign-up form and its handler.
The form asks for an e-mail address and a password.
The handler checks both, stores the account and sends a confirmation.
Reuse the mail queue that the newsletter uses.
Nothing is stored when the address is already taken.`

/** Adds an epic, two dependencies that are done, and T004, an ordinary task whose prompt is measured. */
export const plantOrdinary = async ({ root, must }: TestProject): Promise<void> => {
  // The secret of the fences is fixed, so that prompts can be compared with the goldens.
  writeFileSync(join(root, '.cleo/secret'), 'a secret that stays the same\n')
  writeFileSync(
    join(root, 'package.json'),
    JSON.stringify({ scripts: { test: 'vitest run', lint: 'biome check' } }),
  )
  await must('tasks.add', { title: 'Customer accounts', type: 'epic', description: 'People sign up.' })
  await must('tasks.add', { title: 'Compare password hashing', parent: 'T001', description: 'Which one?' })
  await must('tasks.add', { title: 'Mail queue', parent: 'T001', description: 'Shared with the newsletter.' })
  await must('tasks.add', {
    title: 'Sign-up form',
    parent: 'T001',
    description,
    depends: ['T002', 'T003'],
    labels: ['accounts'],
    files: ['src/signup.ts', 'test/signup.test.ts'],
    acceptance: [
      'rejects a bad e-mail',
      'stores a hash, never the password',
      'a taken address stores nothing',
    ],
  })
  await must('tasks.complete', { id: 'T002' })
  await must('tasks.complete', { id: 'T003' })
}

/** What the prompt of every tier must contain. */
export const factsOfOrdinary = [
  'T004',
  'T001',
  'Customer accounts',
  'Sign-up form',
  ...description.split('\n'),
  'rejects a bad e-mail',
  'stores a hash, never the password',
  'a taken address stores nothing',
  'src/signup.ts, test/signup.test.ts',
  'T002 (done), T003 (done)',
  'size medium',
  'priority medium',
  'accounts',
  'cleo focus set T004 --as T004.1',
  'cleo finish T004 --as T004.1',
  'complete. See MANIFEST.jsonl for summary.',
]
