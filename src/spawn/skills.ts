import { findProjectAgent } from '../agents/project-agent.ts'
import type { SpawnOptions } from '../claims/sql/spawns.ts'
import type { Protocol } from '../kernel/protocol.ts'
import { type Fault, fail } from '../kernel/result.ts'
import type { Context } from '../operation/context.ts'
import { chooseStrategy, type Strategy } from '../prompt/budget/strategy.ts'
import { type Catalogue, openCatalogue } from '../skills/catalogue.ts'
import { chooseSkill } from '../skills/choose-skill.ts'
import type { Skill } from '../skills/entry.ts'
import { limitsOf } from './budget.ts'
import type { Gathered } from './gather.ts'

export interface ChosenSkill {
  skill: Skill
  strategy: Strategy
  /** What decided on the strategy. */
  rule: string
}

export interface ChosenSkills {
  protocol: Protocol
  skills: ChosenSkill[]
  faults: Fault<'skill.missing' | 'skill.twice'>[]
  warnings: string[]
}

/** Which skills go into the prompt, and how much of each: what was asked for, else what the task calls for. */
export const chooseSkills = async (
  context: Context,
  gathered: Gathered,
  wishes: SpawnOptions,
): Promise<ChosenSkills> => {
  const { row, labels, depends } = gathered
  const { title, description, type, size } = row
  const catalogue = await openCatalogue(context)
  const task = { type, title, description, labels, ...(row.stage && { stage: row.stage }) }
  const choice = chooseSkill(context, catalogue, task)
  const { found, faults, warnings } = wishes.skills
    ? asked(catalogue, wishes.skills)
    : { found: choice.skill ? [choice.skill] : [], faults: [], warnings: choice.warnings }
  const clash = await clashes(context, found)
  const { strategy, rule } = chooseStrategy({
    asked: wishes.strategy ?? (wishes.tier === 2 ? 'comprehensive' : undefined),
    contextUsed: wishes.contextUsed,
    budgetPerSkill: limitsOf(context.config).skills / Math.max(1, found.length),
    labels,
    size,
    type,
    depends: depends.length,
  })
  return {
    protocol: wishes.protocol ?? choice.dispatched.protocol,
    skills: found.map((skill) =>
      wishes.deeper?.includes(skill.name)
        ? { skill, strategy: 'comprehensive', rule: 'the agent asked for more of it' }
        : { skill, strategy, rule },
    ),
    faults: [...faults, ...clash.faults],
    warnings: [...warnings, ...found.flatMap(untrusted), ...clash.warnings],
  }
}

interface Found {
  found: Skill[]
  faults: Fault<'skill.missing'>[]
  warnings: string[]
}

/** What was asked for by name has to be there; of several, one that may act comes first. */
const asked = (catalogue: Catalogue, names: readonly string[]): Found => {
  const found: Skill[] = []
  const faults: Found['faults'] = []
  for (const name of names) {
    const skill = catalogue.all(name).find(({ trust }) => trust === 'trusted') ?? catalogue.find(name)
    if (skill) found.push(skill)
    else faults.push({ path: 'skills', failure: catalogue.notFound(name) })
  }
  return { found, faults, warnings: [] }
}

const untrusted = ({ name, path, trust }: Skill): string[] =>
  trust === 'trusted'
    ? []
    : [`skill ${name} (${path}) is not trusted and stands in a fence, as data; see: cleo trust`]

interface Clashes {
  faults: Fault<'skill.twice'>[]
  warnings: string[]
}

/** An agent file may bring skills of its own: the same one by the prompt as well would stand there twice. */
const clashes = async (context: Context, skills: readonly Skill[]): Promise<Clashes> => {
  const agent = await findProjectAgent(context, 'cleo-subagent')
  if (!agent) return { faults: [], warnings: [] }
  const twice = skills.filter(({ name }) => agent.skills.includes(name))
  const runs = agent.model === 'inherit' ? undefined : agent.model
  const other = skills.filter(({ model }) => model && runs && model !== runs)
  return {
    faults: twice.map(({ name }) => ({
      path: 'skills',
      failure: fail('skill.twice', { name, agent: agent.path }),
    })),
    warnings: other.map(({ name, model }) => `skill ${name} was made for ${model}; the agent runs ${runs}`),
  }
}
