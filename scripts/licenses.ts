import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const installed = join(import.meta.dirname, '..', 'node_modules')

export const licenses = (modules: readonly string[]): string => {
  const names = new Set(modules.flatMap((path) => packageOf(path) ?? []))
  const texts = [...names].toSorted().map((name) => {
    const { version, license } = JSON.parse(readFileSync(join(installed, name, 'package.json'), 'utf8')) as {
      version: string
      license: string
    }
    return `## ${name} ${version} (${license})\n\n${licenseOf(name).trim()}\n`
  })
  return ['# Packages that are part of CLEO, and their licences\n', ...texts].join('\n')
}

const packageOf = (path: string): string | undefined =>
  /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(path)?.[1]

const licenseOf = (name: string): string => {
  const folder = join(installed, name)
  const files = readdirSync(folder)
  const own = files.find((file) => /^licen[cs]e/i.test(file))
  if (own) return readFileSync(join(folder, own), 'utf8')
  const readme = files.find((file) => /^readme/i.test(file))
  const section =
    readme && /^#+ licen[cs]e\n(?<text>[^#]*)/im.exec(readFileSync(join(folder, readme), 'utf8'))
  if (!section) throw new Error(`${name} has no licence text to pass on`)
  return section.groups!['text']!
}
