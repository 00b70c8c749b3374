import type { Config } from '../kernel/config.ts'
import { fitSkills } from './budget/fit-skills.ts'
import type { Measure } from './budget/measure.ts'
import type { Strategy } from './budget/strategy.ts'
import { fenceWith, marksOf } from './data-fence.ts'
import type { PromptFacts } from './prompt-facts.ts'
import {
  headingOf,
  joinSections,
  noteTokens,
  type PromptPart,
  promptSections,
  protocolHeading,
  type SkillBlock,
  skillSection,
} from './sections.ts'
import { taskContext } from './task-context.ts'

/** The template tokens are already replaced. The budget is not yet applied. */
export interface SkillDraft {
  name: string
  version: string
  description: string
  folder: string
  strategy: Strategy
  body: string
  references: readonly { path: string; text: string }[]
  /** True if the skill is untrusted. In that case all its text is in fences. */
  foreign?: boolean
}

/** In model tokens. */
export interface Limits {
  total: number
  protocol: number
  task: number
  skills: number
}

export const defaultLimits: Limits = { total: 100_000, protocol: 2_000, task: 2_000, skills: 15_000 }

export const limitsOf = ({ budget }: Pick<Config, 'budget'>): Limits => ({ ...defaultLimits, ...budget })

/** The template tokens are already replaced. The budget is not yet applied. */
export interface PromptDraft {
  facts: PromptFacts
  nonce: string
  /** The base protocol, then the protocol that was chosen for the task. */
  protocols: readonly string[]
  guidance?: string
  antiPatterns?: string
  /** The first skill is the primary one. */
  skills: readonly SkillDraft[]
  limits: Limits
  /** Returns the path at which the caller will write this text. The prompt names the path and leaves out the text. */
  pathOf(text: string): string
}

export interface FittedPrompt {
  prompt: string
  tokens: number
  /** True if the prompt is still too long after everything that can be cut was cut. */
  over: boolean
  limit: number
  budget: { part: string; tokens: number; cut?: string }[]
  skills: { name: string; version: string; strategy: Strategy; tokens: number }[]
  /**
   * The text of the protocol and the skills. Set only at tier 0. The caller writes it to the path that the prompt
   * names.
   */
  companion?: string
}

/** Returns `unsure` if the estimate is too close to a limit to decide. */
export const fitPrompt = (draft: PromptDraft, measure: Measure): FittedPrompt | 'unsure' => {
  const task = fitTask(draft, measure)
  if (task === 'unsure') return 'unsure'
  const skills = fitBlocks(draft, measure)
  if (skills === 'unsure') return 'unsure'
  const { facts, nonce, protocols, guidance, antiPatterns } = draft
  const blocks = skills.map(({ block }) => block)
  const companion = facts.tier === 0 ? companionOf(protocols, blocks) : undefined
  const parts = promptSections({
    facts: task.facts,
    nonce,
    guidance,
    antiPatterns,
    protocol: companion === undefined ? { texts: protocols } : { path: draft.pathOf(companion) },
    skills: companion === undefined ? blocks : draft.skills.map(pointer),
  })
  const texts = parts.flatMap((part) => part.texts)
  const prompt = joinSections(texts)
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

/** The largest share of the token budget that a prompt may use. The rest is left for the agent's work. */
const largestShare = 0.7

/** Leaves out findings of other tasks, oldest first, and nothing else. */
const fitTask = (
  { facts, nonce, guidance, limits }: PromptDraft,
  measure: Measure,
): { facts: PromptFacts; cuts: string[] } | 'unsure' => {
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

interface FittedBlock {
  block: SkillBlock
  strategy: Strategy
  tokens: number
}

const fitBlocks = ({ skills, limits, nonce }: PromptDraft, measure: Measure): FittedBlock[] | 'unsure' => {
  const { open, close } = marksOf(nonce)
  const fitted = fitSkills(
    skills.map((skill) => ({ ...skill, summary: skill.description })),
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

const headingTokens = (skill: SkillDraft, measure: Measure): number =>
  measure.most(headingOf(skill)) + noteTokens

/** At tier 0, a prompt contains only the name and the description of a skill. The rest is in the companion. */
const pointer = ({ name, version, description, foreign }: SkillDraft): SkillBlock => ({
  name,
  version,
  // Keep only the first sentence of the description, which says what the skill does. The other sentences say when
  // to choose the skill. A fenced description is kept whole, because a cut would remove its closing mark.
  text: foreign ? description : description.replace(/(?<=[.!?])\s.*$/s, ''),
  cuts: [],
})

const companionOf = (protocols: readonly string[], skills: readonly SkillBlock[]): string =>
  joinSections([protocolHeading, ...protocols, ...skills.flatMap((skill, i) => skillSection(skill, i === 0))])

const counted = ({ part, texts }: PromptPart, measure: Measure) => ({ part, tokens: measure.countAll(texts) })

const cutsOf = (
  { part }: PromptPart,
  task: readonly string[],
  skills: readonly SkillBlock[],
): { cut?: string } => {
  const cuts = part === 'task context' ? task : skills.find(({ name }) => part === `skill ${name}`)?.cuts
  return cuts && cuts.length > 0 ? { cut: cuts.join('; ') } : {}
}
