import { expect, test } from 'vitest'
import { criteriaIn } from '../../src/tasks/acceptance.ts'

test('[TASK-7] check-box lines are criteria, in their order; those in code fences are not', () => {
  const description = [
    'Build it.',
    '- [ ] rejects a bad e-mail',
    '  - [x] stores a hash, never the password',
    '```md',
    '- [ ] an example',
    '```',
    '* [X] works without JavaScript   ',
    '- [] not one',
    '- [ ]',
  ].join('\n')
  expect(criteriaIn(description)).toEqual([
    'rejects a bad e-mail',
    'stores a hash, never the password',
    'works without JavaScript',
  ])
})
