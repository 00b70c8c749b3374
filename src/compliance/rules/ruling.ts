import { contracts, type Protocol } from '../../kernel/protocol.ts'
import { closed } from '../../kernel/task.ts'
import { shellQuote } from '../../print/shell-quote.ts'
import type { RuleFacts, SubmittedEntry } from './rule-facts.ts'

type RuleResult = 'pass' | 'fail' | 'warning' | 'na'

export interface Ruling {
  result: RuleResult
  fact: string
  /** A command that helps to follow the rule. */
  fix?: string
}

export type Rule = (facts: RuleFacts) => Ruling
/** Rules by id, such as `BASE-001`. */
export type Rules = Readonly<Record<string, Rule>>

export const pass = (fact: string): Ruling => ({ result: 'pass', fact })
export const notApplicable = (fact: string): Ruling => ({ result: 'na', fact })
export const fail = (fact: string, fix?: string): Ruling => ({ result: 'fail', fact, ...(fix && { fix }) })

export const passUnless = (wrong: readonly string[], fine: string, fix?: string): Ruling =>
  wrong.length > 0 ? fail(firstFew(wrong), fix) : pass(fine)

const shown = 3

export const firstFew = (items: readonly string[]): string =>
  items.length > shown
    ? `${items.slice(0, shown).join(', ')} and ${items.length - shown} more`
    : items.join(', ')

export const count = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`

export const respawnFix = ({ task }: RuleFacts): string =>
  closed(task.status) ? `cleo reopen ${task.id} --reason "…"` : `cleo respawn ${task.id} --ref`

/**
 * Returns the command that submits corrected work as a revised entry. In three cases, returns the command for a new
 * attempt instead: there is no entry, the task is closed, or the spawn has returned.
 */
export const reviseFix = (facts: RuleFacts, flags = ''): string => {
  const entry = lastEntry(facts)
  if (!entry || closed(facts.task.status) || facts.returned) return respawnFix(facts)
  return `cleo manifest append --revises ${entry.id}${flags} --as ${facts.spawn}`
}

/**
 * Like `reviseFix`, but returns a `finish` command, which also completes the task. All `flags` must be flags of
 * `finish`.
 */
export const finishFix = (facts: RuleFacts, flags: string): string => {
  const { task, spawn } = facts
  return reviseFix(facts) === respawnFix(facts)
    ? respawnFix(facts)
    : `cleo finish ${task.id}${flags} --as ${spawn}`
}

export const textFix = (facts: RuleFacts): string => {
  const fix = reviseFix(facts)
  return facts.file && fix !== respawnFix(facts) ? `correct ${facts.file.path}, then: ${fix}` : fix
}

export const commitFix = ({ task }: RuleFacts, subject: string, files: readonly string[]): string => {
  const commit = `git commit -m "${subject}" -m "Task: ${task.id}"`
  return `correct ${files.join(' and ')}, then: git add -A -- ${files.map(shellQuote).join(' ')} && ${commit}`
}

export const lastEntry = ({ entries }: RuleFacts): SubmittedEntry | undefined => entries.at(-1)

/** If there is no entry, the rule does not apply, because BASE-001 already fails. */
export const entryRule =
  (judge: (entry: SubmittedEntry, facts: RuleFacts) => Ruling): Rule =>
  (facts) => {
    const entry = lastEntry(facts)
    return entry ? judge(entry, facts) : notApplicable('there is no entry')
  }

/** The rule does not apply if the status of the last entry is blocked. */
export const workRule =
  (judge: (entry: SubmittedEntry, facts: RuleFacts) => Ruling): Rule =>
  (facts) =>
    entryRule((entry) =>
      entry.status === 'blocked' ? notApplicable('the entry says blocked') : judge(entry, facts),
    )(facts)

export const textRule = (judge: (text: string, facts: RuleFacts) => Ruling): Rule =>
  workRule((_, facts) => {
    const { file } = facts
    return file?.text === undefined
      ? fail(`${file?.path ?? 'the output file'} cannot be read`, textFix(facts))
      : judge(file.text, facts)
  })

export const agentType = (protocol: Protocol): Rule =>
  entryRule(({ id, body }, facts) => {
    const { agentType } = contracts[protocol]
    const declared = body['agent_type']
    return declared === agentType
      ? pass(`${id} has agent_type ${agentType}`)
      : fail(
          `${id} has agent_type ${JSON.stringify(declared) ?? 'none'}, not ${agentType}`,
          reviseFix(facts, ` --agent-type ${agentType}`),
        )
  })

export const textsOf = ({ body }: SubmittedEntry, field: string): string[] => {
  const list = body[field]
  return Array.isArray(list)
    ? list.filter((text): text is string => typeof text === 'string' && text.trim() !== '')
    : []
}
