import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { commonCodes } from '../../src/operation/common-codes.ts'
import type { DocumentedOperation } from '../../src/operation/operation.ts'
import { load } from '../../src/perform/generated/load.ts'

/**
 * Source files that run for every operation. Files in `ops/` are left out, because each operation declares the
 * codes of its own file.
 */
const around = ['src/host', 'src/store', 'src/project', 'src/perform', 'src/operation/write.ts']

/** Codes of refusals in functions that only one operation calls. That operation declares them. */
const ofOneOperation = {
  'backup.invalid': 'admin.restore',
  'file.exists': 'admin.restore',
  'project.unsaved': 'admin.init',
}

const refusedIn = (text: string): string[] =>
  [...text.matchAll(/\b(?:refuse|fail)\(\s*'([a-z_.]+)'/g)].map(([, code]) => code!)

test('[OPS-4] every code that store, project and connection return is in the type of every answer', () => {
  const files = around.flatMap((path) => globSync(path.endsWith('.ts') ? path : `${path}/**/*.ts`))
  const refused = files
    .filter((path) => !path.includes('/ops/'))
    .flatMap((path) => refusedIn(readFileSync(path, 'utf8')))
  const known: readonly string[] = [...commonCodes, ...Object.keys(ofOneOperation)]
  expect(refused).toContain('store.unreachable')
  expect([...new Set(refused)].filter((code) => !known.includes(code))).toEqual([])
})

test.each(Object.entries(ofOneOperation))('[OPS-4] %s is declared by %s', async (code, name) => {
  const operation = (await load(name)) as DocumentedOperation | undefined
  expect(operation?.errors).toContain(code)
})

test('a refusal that spans lines is read, too', () => {
  expect(refusedIn("refuse(\n  'store.full', { path })\nfail('store.busy', {})")).toEqual([
    'store.full',
    'store.busy',
  ])
})
