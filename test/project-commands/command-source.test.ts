import { describe, expect, test } from 'vitest'
import { commandFiles, commandSource, makeWouldSkip } from '../../src/project-commands/command-source.ts'

describe('the lines behind a detected command', () => {
  const scripts = {
    pretest: 'tsc',
    test: 'npm run unit && vitest run',
    unit: 'node --test',
    lint: 'run-s "lint:*" lint:js',
    'lint:js': 'eslint .',
    build: 'rollup -c',
  }
  const text = () => JSON.stringify({ scripts })

  test('[GATE-5] a script with its pre and post scripts and the scripts it calls', () => {
    expect(commandSource(['npm', 'test'], text)).toEqual([
      'pretest: tsc',
      'test: npm run unit && vitest run',
      'unit: node --test',
    ])
    expect(commandSource(['npm', 'run', 'lint'], text)).toEqual([
      'lint: run-s "lint:*" lint:js',
      'lint:js: eslint .',
    ])
  })

  test('[GATE-5] a make target with its prerequisites and variables', () => {
    const makefile = () =>
      'LINT = eslint .\ntest: build\n\tnode --test\n\nbuild:\n\ttrue\nlint:\n\t$(LINT)\nother:\n\tx\n'
    expect(commandSource(['make', 'test'], makefile)).toEqual(['test: build; node --test', 'build: true'])
    expect(commandSource(['make', 'lint'], makefile)).toEqual(['lint: $(LINT)', 'LINT: eslint .'])
  })

  test('[GATE-5] other programs have only their own words', () => {
    expect(commandSource(['cargo', 'test'], text)).toEqual([])
  })
})

test('[GATE-5] the files behind make are all makefiles, also those that are included, even if missing', () => {
  const texts: Record<string, string> = {
    Makefile: 'include ./rules.mk\n',
    'rules.mk': '-include a.mk b.mk\n',
  }
  expect(commandFiles('make', (file) => texts[file])).toEqual([
    'GNUmakefile',
    'makefile',
    'Makefile',
    'rules.mk',
    'a.mk',
    'b.mk',
  ])
  expect(commandFiles('cargo', () => undefined)).toEqual(['.cargo/config.toml', '.cargo/config'])
  expect(commandFiles('go', () => undefined)).toEqual([])
})

test('[GATE-5] makefiles that include each other are read once', () => {
  expect(commandFiles('make', () => 'include Makefile other.mk\n')).toHaveLength(4)
})

test('[GATE-5] make runs nothing for a target that is a file and not phony', () => {
  const made = (makefile: string, target = 'lint') => makeWouldSkip(['make', target], makefile, () => true)
  expect(made('lint:\n\ttrue\n')).toBe(true)
  expect(made('.PHONY: test lint\nlint:\n\ttrue\n')).toBe(false)
  expect(makeWouldSkip(['make', 'lint'], 'lint:\n', () => false)).toBe(false)
  expect(makeWouldSkip(['npm', 'lint'], '', () => true)).toBe(false)
})
