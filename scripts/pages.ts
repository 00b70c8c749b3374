import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toJsonSchema } from '@valibot/to-json-schema'
import { rules } from '../conformance/rules.ts'
import { Config } from '../src/kernel/config.ts'
import { allProofs, conformancePage } from './conformance.ts'
import { errorPage } from './error-page.ts'
import { limitsPage } from './limits-page.ts'
import type { Found } from './operations.ts'
import { referencePages } from './reference.ts'

export const pages = (found: readonly Found[]): Map<string, string> => {
  const files = new Map<string, string>()
  files.set('docs/conformance.md', conformancePage(rules, allProofs()))
  files.set('docs/reference/errors.md', errorPage(found))
  for (const [name, text] of referencePages(found)) files.set(`docs/reference/${name}`, text)
  files.set('docs/reference/limits.md', limitsPage(found))
  files.set('docs/architecture.md', architecturePage())
  files.set('schemas/config.json', configSchema())
  return files
}

const configSchema = (): string => {
  const { $schema, ...schema } = toJsonSchema(Config, { typeMode: 'input' })
  return `${JSON.stringify({ $schema, title: 'CLEO project configuration', ...schema }, null, 2)}\n`
}

const root = join(import.meta.dirname, '..')

const architecturePage = (): string => {
  const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
  const rooms = JSON.parse(readFileSync(join(root, 'src/rooms.json'), 'utf8')) as [string, string][]
  const rows = rooms.map(([name, about]) => `| \`${name}\` | ${about} |\n`)
  const table = `<!-- rooms -->\n| room | holds |\n|---|---|\n${rows.join('')}<!-- /rooms -->`
  const marked = /<!-- rooms -->.*<!-- \/rooms -->/s
  if (!marked.test(page)) throw new Error('docs/architecture.md has no marks for the table of rooms')
  return page.replace(marked, () => table)
}
