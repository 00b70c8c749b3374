import * as v from 'valibot'
import { filesBelow } from '../../host/look.ts'
import type { Ink } from '../../model/ink.ts'
import { protocols } from '../../model/protocol.ts'
import { fail, ok } from '../../model/result.ts'
import { describe, text } from '../../model/text.ts'
import { joined } from '../../prompt/skills/front-matter.ts'
import { operation } from '../operation.ts'
import { openCatalogue } from './catalogue.ts'
import { lineShape, toLine } from './line.ts'
import { readSkill } from './read-skill.ts'

const words = () => v.array(v.string())
const shape = () =>
  v.object({
    ...lineShape().entries,
    description: v.string(),
    token_budget: v.number(),
    tokens: v.optional(v.number()),
    tier: v.number(),
    tags: words(),
    capabilities: v.object({ inputs: words(), outputs: words(), dispatch_triggers: words() }),
    protocol: v.optional(v.picklist(protocols)),
    model: v.optional(v.string()),
    allowed_tools: v.optional(v.string()),
    template: v.boolean(),
    references: words(),
    sha256: v.string(),
    folder: v.optional(v.string()),
    text: v.optional(v.string()),
    files: v.optional(v.array(v.object({ path: v.string(), bytes: v.number() }))),
  })
type Shown = v.InferOutput<ReturnType<typeof shape>>

export const show = operation({
  name: 'skills.show',
  kind: 'query',
  tier: 1,
  summary: 'Show a skill: what the index knows, its text, or the files behind it.',
  input: v.strictObject({
    name: describe(text(100), 'the skill'),
    level: v.optional(
      describe(v.picklist(['L0', 'L1', 'L2']), 'L0 the index entry, L1 SKILL.md, L2 the files behind it'),
      'L0',
    ),
  }),
  output: shape,
  errors: ['skill.not_found'],
  needs: 'project',
  cli: {
    command: 'skills show',
    positional: ['name'],
    examples: ['cleo skills show ct-task-executor', 'cleo skills show ct-epic-architect --level L2'],
  },
  human: (skill, ink) => drawSkill(skill, ink),
  async run({ name, level }, project) {
    const catalogue = await openCatalogue(project)
    const skill = catalogue.find(name)
    if (!skill) return fail('skill.not_found', catalogue.missing(name))
    const { origin: _, folder, trust: __, shadows: ___, path: ____, ...entry } = skill
    const known = { ...toLine(skill), ...entry }
    if (level === 'L0') return ok(known)
    const { warnings, ...read } = await readSkill(project, skill)
    if (level === 'L1') return ok({ ...known, folder, text: joined(read) }, { warnings })
    const files = (filesBelow(folder, 1000) ?? []).map(({ path, size }) => ({ path, bytes: size }))
    return ok({ ...known, folder, files }, { warnings })
  },
})

const drawSkill = (skill: Shown, ink: Ink): string[] => {
  const { capabilities } = skill
  const facts: [string, string | undefined][] = [
    ['origin', skill.path ? `${skill.path} (${skill.origin})` : skill.origin],
    ['trust', skill.trust],
    ['shadows', skill.shadows?.join(', ')],
    ['protocol', skill.protocol],
    ['model', skill.model],
    ['tools', skill.allowed_tools],
    ['tags', skill.tags.join(', ')],
    ['triggers', capabilities.dispatch_triggers.join(', ')],
    ['inputs', capabilities.inputs.join(', ')],
    ['outputs', capabilities.outputs.join(', ')],
    ['tokens', skill.tokens === undefined ? undefined : String(skill.tokens)],
    ['budget', `${skill.token_budget} tokens`],
    ['folder', skill.folder],
  ]
  return [
    `${ink.cyan(skill.name)} ${ink.dim(skill.version)}`,
    `  ${skill.description}`,
    ...ink.table(
      facts.flatMap(([name, value]) => (value ? [[`  ${ink.dim(name)}`, value]] : [])),
      1,
    ),
    ...(skill.text !== undefined ? ['', ...skill.text.trimEnd().split('\n')] : []),
    ...(skill.files?.map(({ path, bytes }) => `  ${path} ${ink.dim(`${bytes} bytes`)}`) ?? []),
  ]
}
