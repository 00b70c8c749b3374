import { expect, test } from 'vitest'
import { nodeHost } from '../../src/host/node-host.ts'
import { projectFolder } from '../../src/project-commands/project-folder.ts'
import { projectPrograms } from '../../src/project-commands/script-programs.ts'
import { put } from '../support/subagent.ts'
import { withTemp } from '../support/temp.ts'

const files = {
  'scripts/check.sh': '#!/bin/sh\nexit 1\n',
  'scripts/check.js': 'process.exit(1)\n',
  'scripts/check.mjs': '',
  'scripts/x.mjs': '',
  'scripts/outer.sh': '#!/bin/sh\n# scripts/notes.sh\n"$(dirname "$0")"/check.sh\n',
  'scripts/deep.sh': '#!/usr/bin/env bash\nDIR="$(cd "$(dirname "$0")" && pwd)"\nbash "$DIR/outer.sh"\n',
  'scripts/notes.sh': '',
  'tools/index.js': '',
  'a.js': '#!/usr/bin/env node\n',
  'src/run.sh': '#!/bin/sh\n',
  'test/a.test.js': '#!/usr/bin/env node\n',
  'test/run.sh': '#!/bin/sh\n',
}

const pinned = (line: string) =>
  withTemp(async (folder) => {
    put(folder, files)
    return projectPrograms([line], projectFolder({ ...nodeHost(), env: {} }, folder)).sort()
  })

test.each([
  ['timeout 60 ./scripts/check.sh', 'scripts/check.sh'],
  ['cd scripts && ./check.sh', 'scripts/check.sh'],
  ['sh -c ./scripts/check.sh', 'scripts/check.sh'],
  ['bash -ec "cd scripts; ./check.sh"', 'scripts/check.sh'],
  ['. ./scripts/check.sh', 'scripts/check.sh'],
  ['source scripts/check.sh', 'scripts/check.sh'],
  ['git ls-files | xargs ./scripts/check.sh', 'scripts/check.sh'],
  ['if ./scripts/check.sh; then echo ok; fi', 'scripts/check.sh'],
  ['! ./scripts/check.sh', 'scripts/check.sh'],
  ['$PWD/scripts/check.sh', 'scripts/check.sh'],
  ['"$(CURDIR)/scripts/check.sh"', 'scripts/check.sh'],
  ['find . -exec scripts/check.sh', 'scripts/check.sh'],
  ['node -r fs scripts/check.js', 'scripts/check.js'],
  ['/usr/bin/env node scripts/check.js', 'scripts/check.js'],
  ['timeout -k 5 60s node scripts/check.js', 'scripts/check.js'],
  ['node scripts/check', 'scripts/check.js'],
  ['node tools', 'tools/index.js'],
  ['node --import ./scripts/x.mjs --test test/', 'scripts/x.mjs'],
  ['node --require=./scripts/check test/a.test.js', 'scripts/check.js'],
])('[GATE-5] pins the script that is started by %s', async (line, path) => {
  expect(await pinned(line)).toEqual([path])
})

test('[GATE-5] pins all scripts of a pattern, and what pinned scripts call', async () => {
  expect(await pinned('for s in scripts/*.sh; do $$s || exit 1; done')).toEqual([
    ...['scripts/check.sh', 'scripts/deep.sh', 'scripts/notes.sh', 'scripts/outer.sh'],
  ])
  expect(await pinned('node --import ./scripts/x.mjs scripts/check.mjs')).toEqual([
    'scripts/check.mjs',
    'scripts/x.mjs',
  ])
  expect(await pinned('./scripts/deep.sh')).toEqual([
    'scripts/check.sh',
    'scripts/deep.sh',
    'scripts/outer.sh',
  ])
})

test.each([
  'node --test test/',
  'node --test test/a.test.js',
  'node test/a.test.js',
  'vitest run test/a.test.js',
  'mocha test/*.js',
  'sh test/run.sh',
  'sh src/run.sh',
  'shellcheck scripts/*.sh',
  'bash -n scripts/check.sh',
  'node --check a.js',
  'eslint a.js scripts/check.js',
  'prettier --check a.js scripts',
  'pytest test',
  'tsc && echo scripts/check.sh',
])('[GATE-5] agents may change tests, code and what is only read: %s', async (line) => {
  expect(await pinned(line)).toEqual([])
})
