import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { catalogue } from '../src/refusals/refusal-catalogue.ts'

test('[OUT-3] the guide to troubleshooting explains every exit of the refusal catalogue, and no other', () => {
  const page = readFileSync(join(import.meta.dirname, '..', 'docs/guide/troubleshooting.md'), 'utf8')
  const explained = [...page.matchAll(/^\| (\d+) \| (.+?) \| (.*?) ?\|$/gm)].map(([, exit]) => Number(exit))
  const known = new Set(Object.values(catalogue()).map(({ exit }) => exit))
  expect(explained).toEqual([0, ...[...known].sort((a, b) => a - b)])
})
