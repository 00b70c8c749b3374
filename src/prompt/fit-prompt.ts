import { fitSkills } from './budget/fit.ts'
import type { Measure } from './budget/measure.ts'
import type { Strategy } from './budget/strategy.ts'
import {
  compose,
  headingOf,
  joined,
  noteTokens,
  type Part,
  protocolHeading,
  type SkillBlock,
  skillSection,
} from './compose.ts'
import type { Facts } from './facts.ts'
import { fenceWith, marksOf } from './fence.ts'
import { taskContext } from './task-context.ts'

/** A skill as it came in, its tokens resolved, before the budget has its say. */
export interface SkillDraft {
  name: string
  version: string
  description: string
  folder: string
  strategy: Strategy
  frontMatter: string
  body: string
  references: readonly { path: string; text: string }[]
  /** Nobody has said yes to it: all of it stands in fences. */
  foreign?: boolean
}

export interface Limits {
  total: number
  protocol: number
  task: number
  skills: number
}

export interface Draft {
  facts: Facts
  nonce: string
  /** Base and conditional. */
  protocols: readonly string[]
  guidance?: string
  antiPatterns?: string
  /** The first one is the primary skill. */
  skills: readonly SkillDraft[]
  limits: Limits
  /** Where a text that is only pointed to will stand. */
  pathOf(text: string): string
}

export interface FittedPrompt {
  prompt: string
  tokens: number
  /** More than the prompt may take of the whole budget, after everything was cut that could be. */
  over: boolean
  limit: number
  budget: { part: string; tokens: number; cut?: string }[]
  skills: { name: string; version: string; strategy: Strategy; tokens: number }[]
  /** At tier 0: protocol and skills, to be written where the prompt says. */
  companion?: string
}

/** Makes the prompt fit its budget; `unsure` where the estimate is too close to a limit to decide. */
export const fitPrompt = (draft: Draft, measure: Measure): FittedPrompt | 'unsure' => {
  const task = fitTask(draft, measure)
  if (task === 'unsure') return 'unsure'
  const skills = fitBlocks(draft, measure)
  if (skills === 'unsure') return 'unsure'
  const { facts, nonce, protocols, guidance, antiPatterns } = draft
  const blocks = skills.map(({ block }) => block)
  const companion = facts.tier === 0 ? companionOf(protocols, blocks) : undefined
  const parts = compose({
    facts: task.facts,
    nonce,
    guidance,
    antiPatterns,
    protocol: companion === undefined ? { texts: protocols } : { path: draft.pathOf(companion) },
    skills: companion === undefined ? blocks : draft.skills.map(pointer),
  })
  const texts = parts.flatMap((part) => part.texts)
  const prompt = joined(texts)
  const limit = Math.floor(draft.limits.total * largestShare)
  const fits = measure.fits(prompt, limit)
  if (fits === 'unsure') return 'unsure'
  return {
    prompt,
    tokens: measure.countAll(texts),
    over: fits === 'no',
    limit,
    budget: parts.map((part) => ({ ...counted(part, measure), ...cutsOf(part, task.cuts, blocks) })),
    skills: skills.map(({ block: { name, version }, strategy, tokens }) => ({
      name,
      version,
      strategy,
      tokens,
    })),
    companion,
  }
}

/** The rest is the agent's to work in. */
const largestShare = 0.7

/** Over its share, the task's context loses what dependencies found, oldest first; its own words stay. */
const fitTask = (
  { facts, nonce, guidance, limits }: Draft,
  measure: Measure,
): { facts: Facts; cuts: string[] } | 'unsure' => {
  for (let dropped = 0; ; dropped++) {
    const kept = { ...facts, findings: facts.findings.slice(dropped) }
    const nothing = kept.findings.length === 0
    const fits = nothing || measure.fits(taskContext(kept, guidance, fenceWith(nonce)), limits.task)
    if (fits === 'unsure') return 'unsure'
    if (fits === 'yes' || nothing) {
      const gone = facts.findings.slice(0, dropped).map(({ task }) => task)
      return { facts: { ...kept, findingsLeftOut: gone }, cuts: gone.map((task) => `findings of ${task}`) }
    }
  }
}

interface Fitted {
  block: SkillBlock
  strategy: Strategy
  tokens: number
}

const fitBlocks = ({ skills, limits, nonce }: Draft, measure: Measure): Fitted[] | 'unsure' => {
  const { open, close } = marksOf(nonce)
  const fitted = fitSkills(
    skills.map((skill, i) => ({ ...skill, primary: i === 0, summary: skill.description })),
    limits.skills - skills.reduce((sum, skill) => sum + headingTokens(skill, measure), 0),
    measure,
    { open, close },
  )
  if (fitted === 'unsure') return 'unsure'
  return fitted.map(({ text, cuts, strategy, tokens }, i) => {
    const { name, version, folder, foreign } = skills[i]!
    return { block: { name, version, folder, text, cuts, ...(foreign && { foreign }) }, strategy, tokens }
  })
}

/** What its name, its folder and the note on what was cut take at most. */
const headingTokens = (skill: SkillDraft, measure: Measure): number =>
  measure.most(headingOf(skill)) + noteTokens

/** At tier 0 a skill is its name and what it is for. */
const pointer = ({ name, version, folder, description }: SkillDraft): SkillBlock => ({
  name,
  version,
  folder,
  text: `For: ${description}`,
  cuts: [],
})

const companionOf = (protocols: readonly string[], skills: readonly SkillBlock[]): string =>
  joined([protocolHeading, ...protocols, ...skills.flatMap((skill, i) => skillSection(skill, i === 0))])

const counted = ({ part, texts }: Part, measure: Measure) => ({ part, tokens: measure.countAll(texts) })

const cutsOf = ({ part }: Part, task: readonly string[], skills: readonly SkillBlock[]): { cut?: string } => {
  const cuts = part === 'task context' ? task : skills.find(({ name }) => part === `skill ${name}`)?.cuts
  return cuts && cuts.length > 0 ? { cut: cuts.join('; ') } : {}
}
