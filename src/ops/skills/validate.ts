import { basename, dirname, resolve } from 'node:path'
import * as v from 'valibot'
import { filesBelow, foldersIn, look } from '../../host/look.ts'
import { readInside } from '../../host/safe-read.ts'
import { fail } from '../../model/result.ts'
import { describe, text } from '../../model/text.ts'
import { loadExact } from '../../prompt/budget/exact.ts'
import { examineSkill } from '../../prompt/skills/examine.ts'
import type { Finding } from '../../prompt/skills/finding.ts'
import { joined } from '../../prompt/skills/front-matter.ts'
import type { Project } from '../context.ts'
import { operation } from '../operation.ts'
import { openCatalogue } from './catalogue.ts'
import { discover } from './discover.ts'
import { drawReport, reported, reportShape } from './report.ts'

/** A skill to look at: its folder, or the text of one that came with CLEO. */
interface Target {
  name: string
  path: string
  folder: string
  shipped?: { text: string; files: string[] }
}

export const validate = operation({
  name: 'skills.validate',
  kind: 'query',
  tier: 1,
  summary: 'Say everything that is wrong with skills, by the public rules and by ours.',
  input: v.strictObject({
    skill: v.optional(
      describe(text(500), 'a skill by name, a folder with SKILL.md, or a folder of such; all when left out'),
    ),
  }),
  output: reportShape,
  errors: ['skill.not_found', 'content.invalid'],
  needs: 'project',
  cli: {
    command: 'skills validate',
    positional: ['skill'],
    examples: [
      'cleo skills validate',
      'cleo skills validate ct-release',
      'cleo skills validate ./skills/deploy',
    ],
  },
  human: drawReport('skill'),
  async run({ skill }, project) {
    const wanted = skill === undefined ? discover(project) : await named(project, skill)
    if ('ok' in wanted) return wanted
    const count = await loadExact()
    const findings = [...wanted.problems]
    const names = new Map<string, string>()
    for (const target of wanted.found) {
      const { entry, findings: own } = await examine(target, count)
      findings.push(...own)
      const other = entry && names.get(entry.name)
      const message = `has the name of ${other}, which comes first`
      if (other) findings.push({ level: 'warning', file: `${target.path}/SKILL.md`, message })
      else if (entry) names.set(entry.name, target.path)
    }
    return reported(wanted.found.length, findings)
  },
})

type Wanted = { found: Target[]; problems: Finding[] }

const named = async (project: Project, given: string) => {
  const catalogue = await openCatalogue(project)
  const skill = catalogue.find(given)
  if (!skill) return atPath(project, given) ?? fail('skill.not_found', catalogue.missing(given))
  const { path, folder } = skill
  if (skill.origin !== 'shipped') return { found: [{ name: basename(folder), path, folder }], problems: [] }
  const { loadShipped } = await import('../../prompt/generated/skills.ts')
  const loaded = (await loadShipped(given))!
  const shipped = { text: joined(loaded), files: loaded.files.map((file) => file.path) }
  return { found: [{ name: given, path, folder, shipped }], problems: [] }
}

/** A folder that a person names is theirs, wherever it is. */
const atPath = ({ host }: Project, given: string): Wanted | undefined => {
  const place = host.files.realPath(resolve(host.cwd, given))
  const folder = basename(place) === 'SKILL.md' ? dirname(place) : place
  if (look(folder)?.kind !== 'folder') return undefined
  const path = basename(place) === 'SKILL.md' ? dirname(given) : given.replace(/\/+$/, '')
  if (look(`${folder}/SKILL.md`)) return { found: [{ name: basename(folder), path, folder }], problems: [] }
  const inner = (foldersIn(folder) ?? []).map(({ name }) => ({
    name,
    path: `${path}/${name}`,
    folder: host.files.realPath(`${folder}/${name}`),
  }))
  const [found, empty] = [true, false].map((has) =>
    inner.filter((each) => has === !!look(`${each.folder}/SKILL.md`)),
  )
  const missing = inner.length > 0 ? empty! : [{ path }]
  return {
    found: found!,
    problems: missing.map((each) => ({ level: 'error', file: each.path, message: 'has no SKILL.md' })),
  }
}

const mostBytes = 1024 * 1024

const examine = async ({ name, path, folder, shipped }: Target, count: (text: string) => number) => {
  const file = `${path}/SKILL.md`
  const read = shipped ? { ok: true as const, text: shipped.text } : readInside(folder, 'SKILL.md', mostBytes)
  if (!read.ok) {
    const message = `${read.why}, so the skill cannot be loaded`
    return { entry: undefined, findings: [{ level: 'error' as const, file, message }] }
  }
  const files = shipped?.files ?? (filesBelow(folder, 10_000) ?? []).map((each) => each.path)
  return examineSkill({ file, text: read.text, folder: name, files, tokens: count(read.text) })
}
