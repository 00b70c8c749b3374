import { findProjectAgent, type ProjectAgent } from '../agents/project-agent.ts'
import type { SpawnOptions } from '../claims/sql/spawns.ts'
import { trustAdvice } from '../kernel/actor.ts'
import { type Protocol, stageWork } from '../kernel/protocol.ts'
import { type Fault, fail } from '../kernel/result.ts'
import type { Context } from '../operation/context.ts'
import { printable } from '../print/printable.ts'
import { chooseStrategy, type Strategy } from '../prompt/budget/strategy.ts'
import { limitsOf } from '../prompt/fit-prompt.ts'
import type { PromptFacts } from '../prompt/prompt-facts.ts'
import { chooseSkill, type SkillChoice } from '../skills/choose-skill.ts'
import { reasonOf } from '../skills/dispatch.ts'
import { type Catalogue, openCatalogue } from '../skills/skill-catalogue.ts'
import type { Skill } from '../skills/skill-entry.ts'
import { suggestSkills } from '../skills/suggest-skills.ts'
import type { TaskToSpawn } from './task-to-spawn.ts'

export interface ChosenSkill {
  skill: Skill
  strategy: Strategy
  rule: string
}

export interface ChosenSkills {
  protocol: Protocol
  /** Why this protocol was chosen, such as `title: "Compare"`. */
  reason: string
  skills: ChosenSkill[]
  /** The skill that the prompt leaves out, because the agent file lists it and the client loads it. */
  inAgentFile?: PromptFacts['inAgentFile']
  /** Names of skills that might fit better than the fallback. */
  suggested: string[]
  faults: Fault<'skill.missing' | 'skill.twice'>[]
  warnings: string[]
}

/** The caller's options decide first, then the task. */
export const chooseSkills = async (
  context: Context,
  { row, labels, files, depends, latest }: TaskToSpawn,
  options: SpawnOptions,
): Promise<ChosenSkills> => {
  const { title, type, size } = row
  const catalogue = await openCatalogue(context)
  const choice = chooseSkill(context, catalogue, {
    type,
    title,
    labels,
    files,
    ...(row.stage && { stage: row.stage }),
  })
  const { dispatched } = choice
  const agent = await findProjectAgent(context, 'cleo-subagent')
  const command = `cleo ${latest ? 'respawn' : 'spawn'} ${row.id}`
  const { found, faults, warnings, inAgentFile } = options.skills
    ? requested(catalogue, options.skills, agent, command)
    : leftToAgent(skillFor(catalogue, choice, options.protocol), agent)
  const { strategy, rule } = chooseStrategy({
    requested: options.strategy ?? (options.tier === 2 ? 'comprehensive' : undefined),
    contextUsed: options.contextUsed,
    budgetPerSkill: limitsOf(context.config).skills / Math.max(1, found.length),
    labels,
    size,
    type,
    depends: depends.length,
  })
  const isFallback = !options.skills && !options.protocol && dispatched.skill === fallback
  return {
    protocol: options.protocol ?? dispatched.protocol,
    reason: options.protocol ? '--protocol' : reasonOf(dispatched),
    skills: found.map((skill) =>
      options.deeper?.includes(skill.name)
        ? { skill, strategy: 'comprehensive', rule: 'the agent asked for more of it' }
        : { skill, strategy, rule },
    ),
    ...(inAgentFile && { inAgentFile }),
    suggested: isFallback ? suggestSkills(catalogue.list(), title) : [],
    faults,
    warnings: [
      ...warnings,
      ...found.flatMap((skill) => untrusted(context, skill)),
      ...(agent ? agentWarnings(catalogue, agent, found) : []),
    ],
  }
}

const fallback = stageWork.implementation.skill

interface FoundSkills extends Pick<ChosenSkills, 'faults' | 'inAgentFile'> {
  found: Skill[]
  warnings: string[]
}

/** If several skills share a name, a trusted skill takes precedence. */
const requested = (
  catalogue: Catalogue,
  names: readonly string[],
  agent: ProjectAgent | undefined,
  command: string,
): FoundSkills => {
  const found: Skill[] = []
  const faults: FoundSkills['faults'] = []
  for (const name of names) {
    const skill = trustedFirst(catalogue, name)
    if (skill) found.push(skill)
    else faults.push({ path: 'skills', failure: catalogue.notFound(name) })
    // The client loads the skills that the agent file lists. With a copy in the prompt, the agent would get this
    // skill twice.
    if (skill && agent?.skills.includes(name)) {
      const others = names.filter((each) => !agent.skills.includes(each))
      const failure = fail('skill.twice', { name, agent: agent.path, command, others })
      faults.push({ path: 'skills', failure })
    }
  }
  return { found, faults, warnings: [] }
}

const trustedFirst = (catalogue: Catalogue, name: string): Skill | undefined =>
  catalogue.all(name).find(({ trust }) => trust === 'trusted') ?? catalogue.find(name)

/**
 * Returns the skill that dispatch chose. If the caller asked for a different protocol, returns the skill of the
 * caller's protocol instead.
 */
const skillFor = (
  catalogue: Catalogue,
  { dispatched, skill, warnings }: SkillChoice,
  protocol: Protocol | undefined,
): Pick<FoundSkills, 'found' | 'warnings'> => {
  const isOwn = protocol === undefined || protocol === dispatched.protocol
  const chosen = isOwn
    ? skill
    : catalogue.all(stageWork[protocol].skill).find(({ trust }) => trust === 'trusted')
  return { found: chosen ? [chosen] : [], warnings: isOwn ? warnings : [] }
}

/** If the agent file lists the dispatched skill, the prompt leaves this skill out, because the client loads it. */
const leftToAgent = (
  { found, warnings }: Pick<FoundSkills, 'found' | 'warnings'>,
  agent: ProjectAgent | undefined,
): FoundSkills => {
  const [skill] = found
  if (!skill || !agent?.skills.includes(skill.name)) return { found, faults: [], warnings }
  return { found: [], faults: [], warnings, inAgentFile: { skill: printable(skill.name), path: agent.path } }
}

const untrusted = (context: Context, { name, path, trust }: Skill): string[] =>
  trust === 'trusted'
    ? []
    : [`skill ${name} (${path}) is not trusted and is included in a fence, as data; ${trustAdvice(context)}`]

const agentWarnings = (catalogue: Catalogue, agent: ProjectAgent, skills: readonly Skill[]): string[] => {
  const runs = agent.model === 'inherit' ? undefined : agent.model
  return [
    ...agent.skills
      .filter((name) => !catalogue.find(name))
      .map(
        (name) => `${agent.path} lists a skill that cannot be loaded. ${catalogue.notFound(name).message}`,
      ),
    ...skills
      .filter(({ model }) => model && runs && model !== runs)
      .map(({ name, model }) => `skill ${name} was made for ${model}; the agent runs ${runs}`),
  ]
}
