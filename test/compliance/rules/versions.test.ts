import { expect, test } from 'vitest'
import { isSemantic, versionIn, versionsIn } from '../../../src/compliance/rules/versions.ts'

test('[PROT-1] a version is found where each language writes it', () => {
  expect(versionIn('package.json', '{"version":"1.2.0"}')).toBe('1.2.0')
  expect(versionIn('package.json', '{"version":2}')).toBeUndefined()
  expect(versionIn('package.json', '{')).toBeUndefined()
  const cargo = '[dependencies]\nversion = "9.9.9"\n\n[package] \nname = "shop"\nversion = "1.2.0" # ours\n'
  expect(versionIn('Cargo.toml', cargo)).toBe('1.2.0')
  expect(versionIn('Cargo.toml', '[workspace.package]\r\nversion = "1.2.0"\r\n')).toBe('1.2.0')
  expect(versionIn('pyproject.toml', "[project]\nname = 'shop'\nversion = '1.2.0'\n")).toBe('1.2.0')
  expect(versionIn('pyproject.toml', '[tool.poetry]\nversion = "1.2.0"\n')).toBe('1.2.0')
  expect(versionIn('pyproject.toml', '[tool.other]\nversion = "1.2.0"\n')).toBeUndefined()
  expect(versionIn('VERSION', '1.2.0\n')).toBe('1.2.0')
  expect(versionIn('VERSION', '\n')).toBeUndefined()
})

test('[PROT-1] semantic versions are told from others', () => {
  const good = ['0.0.1', '1.2.3', '1.0.0-rc.1', '1.0.0-alpha+001', '10.20.30+build.5']
  const bad = ['1', '1.2', 'v1.2.3', '01.2.3', '1.2.3-', '1.2.3 ', '1.2.3-..', 'latest', '']
  expect(good.filter((version) => !isSemantic(version))).toEqual([])
  expect(bad.filter(isSemantic)).toEqual([])
})

test('[PROT-1] a changelog tells its versions, newest first, and which of them are empty', () => {
  const text =
    '# Changes\n\n## Unreleased\n\n- soon\n\n## [2.0.0-rc.1] – today\n\n### Added\n\n- much\n\n## v1.0.0\n\n```\n## 0.9.0\n```\n\n## 0.8.0\n'
  expect(versionsIn(text)).toEqual([
    { version: '2.0.0-rc.1', filled: true },
    { version: '1.0.0', filled: true },
    { version: '0.8.0', filled: false },
  ])
})
