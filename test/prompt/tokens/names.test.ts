import { expect, test } from 'vitest'
import { allowedNames } from '../../../src/prompt/tokens/names.ts'

test('[TOK-3] only names that are allowed may come from the environment', () => {
  const four = ['CLEO_ROOT', 'RESEARCH_DIR', 'MANIFEST_FILE', 'SPECS_DIR']
  expect([...allowedNames({})]).toEqual(four)
  const env = ['BUILD_ID', 'CLEO_DATABASE_URL', 'TASK_ID', 'TASK_COMPLETE_CMD', 'PROJECT_ROOT', 'SPECS_DIR']
  expect([...allowedNames({ tokens: { env } })]).toEqual([...four, 'BUILD_ID'])
})
