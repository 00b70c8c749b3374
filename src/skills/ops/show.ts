import * as v from 'valibot'
import { filesBelow } from '../../host/stat.ts'
import { protocols } from '../../kernel/protocol.ts'
import { fail, ok } from '../../kernel/result.ts'
import type { Style } from '../../kernel/style.ts'
import { describe, text } from '../../kernel/text.ts'
import { joinFrontMatter } from '../../markdown/front-matter.ts'
import { operation } from '../../operation/operation.ts'
import { readSkill } from '../read-skill.ts'
import { findSkill } from '../skill-catalogue.ts'
import { skillSummary, toSummary } from '../skill-summary.ts'

const words = () => v.array(v.string())
const shape = () =>
  v.object({
    ...skillSummary().entries,
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

export const show = operation({
  name: 'skills.show',
  kind: 'query',
  tier: 1,
  summary: 'Show a skill: its index entry, its text, or its files.',
  input: v.strictObject({
    name: describe(text(100), 'the skill'),
    level: v.optional(
      describe(v.picklist(['L0', 'L1', 'L2']), "L0 the index entry, L1 SKILL.md, L2 the skill's files"),
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
  human: (skill, style) => drawSkill(skill, style),
  async run({ name, level }, project) {
    const skill = await findSkill(project, name)
    if ('missing' in skill) return fail('skill.not_found', skill.missing(name))
    const { origin: _, folder, trust: __, shadows: ___, path: ____, ...entry } = skill
    const known = { ...toSummary(skill), ...entry }
    if (level === 'L0') return ok(known)
    const { warnings, ...read } = await readSkill(project, skill)
    if (level === 'L1') return ok({ ...known, folder, text: joinFrontMatter(read) }, { warnings })
    const files = (filesBelow(folder, 1000) ?? []).map(({ path, size }) => ({ path, bytes: size }))
    return ok({ ...known, folder, files }, { warnings })
  },
})

const drawSkill = (skill: v.InferOutput<ReturnType<typeof shape>>, style: Style): string[] => {
  const { name, version, description, capabilities, files, path, origin, text, tags, ...more } = skill
  const facts = {
    origin: path ? `${path} (${origin})` : origin,
    trust: more.trust,
    shadows: more.shadows?.join(', '),
    protocol: more.protocol,
    tags: tags.join(', '),
    triggers: capabilities.dispatch_triggers.join(', '),
    inputs: capabilities.inputs.join(', '),
    outputs: capabilities.outputs.join(', '),
    budget: `${more.token_budget} tokens`,
    folder: more.folder,
  }
  const rows = Object.entries(facts).flatMap(([key, value]) =>
    value ? [[`  ${style.dim(key)}`, value]] : [],
  )
  return [
    `${style.cyan(name)} ${style.dim(version)}`,
    `  ${description}`,
    ...style.table(rows, 1),
    ...(text === undefined ? [] : ['', ...text.trimEnd().split('\n')]),
    ...(files?.map((file) => `  ${file.path} ${style.dim(`${file.bytes} bytes`)}`) ?? []),
  ]
}
