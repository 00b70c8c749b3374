import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rulesOf, warnings } from '../../../src/compliance/rules/check-rules.ts'
import { validation } from '../../../src/compliance/rules/validation.ts'

const folder = join(import.meta.dirname, '..', '..', '..', 'content')

/** Every rule of the protocols as agents read it. */
const written = readdirSync(join(folder, 'protocols')).flatMap((file) => {
  const text = readFileSync(join(folder, 'protocols', file), 'utf8')
  return [...text.matchAll(/^- ([A-Z]+-\d{3}): (.+)$/gm)].map(([, id, rule]) => ({
    protocol: file.replace('.md', ''),
    id: id!,
    rule: rule!,
  }))
})

/** Rules that no program can check, because they ask for understanding. */
const forReaders = ['SPEC-006', 'IMPL-002', 'IMPL-005', 'CONT-004', 'CONT-005', 'RLSE-005']

test('[PROT-1] every rule of a protocol is checked by code that names its id, or is text for readers', () => {
  const checked = Object.entries(rulesOf).flatMap(([protocol, rules]) =>
    Object.keys(rules).map((id) => `${protocol} ${id}`),
  )
  const checkable = written
    .filter(({ id }) => !forReaders.includes(id))
    .map(({ protocol, id }) => `${protocol} ${id}`)
  expect(checked.toSorted()).toEqual(checkable.toSorted())
  expect(checked.length).toBeGreaterThan(45)
  expect(forReaders.filter((id) => !written.some((rule) => rule.id === id))).toEqual([])
})

test('[PROT-1] a rule that says SHOULD warns, one that says MUST fails', () => {
  const should = written.filter(({ rule }) => /\bSHOULD\b/.test(rule)).map(({ id }) => id)
  expect(warnings.toSorted()).toEqual(should.toSorted())
  expect(written.filter(({ rule }) => !/\b(?:MUST|SHOULD)\b/.test(rule))).toEqual([])
})

test('[PROT-2] what a stage asks for beyond its protocol is named after the stage', () => {
  const stages = readdirSync(join(folder, 'stages')).map((file) => file.replace('.md', ''))
  expect(Object.keys(validation).filter((id) => !stages.includes(id))).toEqual([])
})
