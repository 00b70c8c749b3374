import { findProjectAgent } from '../agents/project-agent.ts'
import type { SpawnOptions } from '../claims/sql/spawns.ts'
import { trustAdvice } from '../kernel/actor.ts'
import type { Protocol } from '../kernel/protocol.ts'
import { type Fault, fail } from '../kernel/result.ts'
import type { Context } from '../operation/context.ts'
import { chooseStrategy, type Strategy } from '../prompt/budget/strategy.ts'
import { limitsOf } from '../prompt/fit-prompt.ts'
import { chooseSkill } from '../skills/choose-skill.ts'
import { type Catalogue, openCatalogue } from '../skills/skill-catalogue.ts'
import type { Skill } from '../skills/skill-entry.ts'
import type { TaskToSpawn } from './task-to-spawn.ts'

export interface ChosenSkill {
  skill: Skill
  strategy: Strategy
  /** The rule that chose the strategy. */
  rule: string
}

interface ChosenSkills {
  protocol: Protocol
  skills: ChosenSkill[]
  faults: Fault<'skill.missing' | 'skill.twice'>[]
  warnings: string[]
}

/** Chooses the skills of a prompt and how much of each to include: from the caller's options, else from the task. */
export const chooseSkills = async (
  context: Context,
  { row, labels, depends }: TaskToSpawn,
  options: SpawnOptions,
): Promise<ChosenSkills> => {
  const { title, description, type, size } = row
  const catalogue = await openCatalogue(context)
  const task = { type, title, description, labels, ...(row.stage && { stage: row.stage }) }
  const choice = chooseSkill(context, catalogue, task)
  const { found, faults, warnings } = options.skills
    ? requested(catalogue, options.skills)
    : { found: choice.skill ? [choice.skill] : [], faults: [], warnings: choice.warnings }
  const clash = await clashes(context, found)
  const { strategy, rule } = chooseStrategy({
    requested: options.strategy ?? (options.tier === 2 ? 'comprehensive' : undefined),
    contextUsed: options.contextUsed,
    budgetPerSkill: limitsOf(context.config).skills / Math.max(1, found.length),
    labels,
    size,
    type,
    depends: depends.length,
  })
  return {
    protocol: options.protocol ?? choice.dispatched.protocol,
    skills: found.map((skill) =>
      options.deeper?.includes(skill.name)
        ? { skill, strategy: 'comprehensive', rule: 'the agent asked for more of it' }
        : { skill, strategy, rule },
    ),
    faults: [...faults, ...clash.faults],
    warnings: [...warnings, ...found.flatMap((skill) => untrusted(context, skill)), ...clash.warnings],
  }
}

interface RequestedSkills {
  found: Skill[]
  faults: Fault<'skill.missing'>[]
  warnings: string[]
}

/** Finds the skills requested by name. If several skills share a name, a trusted one takes precedence. */
const requested = (catalogue: Catalogue, names: readonly string[]): RequestedSkills => {
  const found: Skill[] = []
  const faults: RequestedSkills['faults'] = []
  for (const name of names) {
    const skill = catalogue.all(name).find(({ trust }) => trust === 'trusted') ?? catalogue.find(name)
    if (skill) found.push(skill)
    else faults.push({ path: 'skills', failure: catalogue.notFound(name) })
  }
  return { found, faults, warnings: [] }
}

const untrusted = (context: Context, { name, path, trust }: Skill): string[] =>
  trust === 'trusted'
    ? []
    : [`skill ${name} (${path}) is not trusted and is included in a fence, as data; ${trustAdvice(context)}`]

interface Clashes {
  faults: Fault<'skill.twice'>[]
  warnings: string[]
}

/** Refuses skills that the agent file loads too: the agent would get them twice. Warns of skills for other models. */
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
