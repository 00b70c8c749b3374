import { describe, expect, test } from 'vitest'
import { commandPieces, skippedTarget } from '../../src/project-commands/command-source.ts'
import { makefilesIn } from '../../src/project-commands/makefiles.ts'
import { inLayout } from '../support/layout.ts'

const commandSource = (...args: Parameters<typeof commandPieces>): string[] =>
  [...commandPieces(...args)].map(([name, piece]) => `${name}: ${piece}`)

describe('the lines behind a detected command', () => {
  const scripts = {
    pretest: 'tsc',
    test: 'npm run unit && vitest run',
    unit: 'node --test',
    lint: 'run-s "lint:*" lint:js',
    'lint:js': 'eslint .',
    build: 'rollup -c',
  }
  const layout = { 'package.json': JSON.stringify({ scripts }) }

  test('[GATE-5] a script with its pre and post scripts and the scripts it calls', () =>
    inLayout(layout, (project) => {
      expect(commandSource(['npm', 'test'], project)).toEqual([
        'pretest: tsc',
        'test: npm run unit && vitest run',
        'unit: node --test',
      ])
      expect(commandSource(['npm', 'run', 'lint'], project)).toEqual([
        'lint: run-s "lint:*" lint:js',
        'lint:js: eslint .',
      ])
    }))

  test('[GATE-5] scripts that are called by a pattern', () =>
    inLayout(
      { 'package.json': JSON.stringify({ scripts: { test: 'run-p "test:*"', 'test:unit': 'vitest' } }) },
      (project) => {
        expect(commandSource(['npm', 'test'], project)).toEqual(['test: run-p "test:*"', 'test:unit: vitest'])
      },
    ))

  test('[GATE-5] a make target with its prerequisites and variables', () =>
    inLayout(
      {
        Makefile:
          'LINT = eslint .\ntest: build\n\tnode --test\n\nbuild:\n\ttrue\nlint:\n\t$(LINT)\nother:\n\tx\n',
      },
      (project) => {
        expect(commandSource(['make', 'test'], project)).toEqual(['test: build; node --test', 'build: true'])
        expect(commandSource(['make', 'lint'], project)).toEqual(['LINT: eslint .', 'lint: $(LINT)'])
      },
    ))

  test('[GATE-5] other programs have only their own words', () =>
    inLayout(layout, (project) => {
      expect(commandSource(['cargo', 'test'], project)).toEqual([])
    }))
})

test('[GATE-5] the files behind make are all makefiles, also those that are included, even if missing', () =>
  inLayout(
    {
      Makefile: 'DIR = mk\ninclude ./rules.mk $(DIR)/*.mk \\\n  $(wildcard more/*.mk)\n',
      'rules.mk': '-include a.mk b.mk\n',
      'mk/one.mk': 'include mk/deep.inc\n',
      'mk/deep.inc': '',
      'more/two.mk': '',
    },
    (project) => {
      expect(makefilesIn(project).files.sort()).toEqual(
        [
          ...['GNUmakefile', 'makefile', 'Makefile', 'rules.mk', 'a.mk', 'b.mk'],
          ...['mk/*.mk', 'mk/one.mk', 'mk/deep.inc', 'more/*.mk', 'more/two.mk'],
        ].sort(),
      )
    },
  ))

test('[GATE-5] a GNUmakefile takes precedence over a Makefile', () =>
  inLayout({ GNUmakefile: 'test:\n\tone\n', Makefile: 'test:\n\ttwo\n' }, (project) => {
    expect(commandSource(['make', 'test'], project)).toEqual(['test: one'])
  }))

test('[GATE-5] makefiles that include each other are read once', () =>
  inLayout({ Makefile: 'include Makefile other.mk\n', 'other.mk': 'include Makefile\n' }, (project) => {
    expect(makefilesIn(project).files).toHaveLength(4)
  }))

test('[GATE-5] make runs nothing for a target that is a file or folder and not phony', async () => {
  const skipped = (files: Record<string, string>, words = ['make', 'lint']) =>
    inLayout(files, (project) => skippedTarget(words, project))
  expect(await skipped({ lint: '', Makefile: 'lint:\n\ttrue\n' })).toBe('lint')
  expect(await skipped({ 'lint/a.js': '', Makefile: 'lint:\n\ttrue\n' })).toBe('lint')
  expect(
    await skipped({ 'lint/a.js': '', Makefile: '.PHONY: all\nlint: all\n\ttrue\n' }),
    'a phony prerequisite makes it run',
  ).toBeUndefined()
  expect(await skipped({ lint: '', Makefile: '.PHONY: test lint\nlint:\n\ttrue\n' })).toBeUndefined()
  expect(
    await skipped({ lint: '', Makefile: 'include a.mk\nlint:\n', 'a.mk': '.PHONY: lint\n' }),
  ).toBeUndefined()
  expect(await skipped({ Makefile: 'lint:\n' })).toBeUndefined()
  expect(await skipped({ lint: '' }, ['npm', 'lint'])).toBeUndefined()
})
