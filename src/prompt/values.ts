import { slugOf } from '../kernel/slug.ts'
import type { Facts } from './facts.ts'

export interface Given {
  text: string
  /** Not CLEO's own words. */
  foreign?: boolean
  from?: string
}

/** What stands behind each name in a template; SKILL_ROOT differs from skill to skill. */
export const valuesOf = (facts: Omit<Facts, 'spawnId'>, date: string): Record<string, Given> => {
  const { task, epic, paths } = facts
  const slug = slugOf(task.title)
  const own: Record<string, string> = {
    TASK_ID: task.id,
    EPIC_ID: epic.id,
    DATE: date,
    TOPIC_SLUG: slug,
    OUTPUT_DIR: paths.output,
    MANIFEST_PATH: paths.manifest,
    RESEARCH_ID: `${task.id}-${slug}`,
    SESSION_ID: facts.session ?? 'no session',
    PROJECT_ROOT: paths.root,
    PROTOCOL: facts.protocol,
    TIER: String(facts.tier),
    DEPENDS_LIST: facts.depends.map(({ id }) => id).join(', ') || 'none',
    TASK_SHOW_CMD: 'cleo show',
    TASK_FOCUS_CMD: 'cleo focus set',
    TASK_COMPLETE_CMD: 'cleo complete',
    TASK_LINK_CMD: 'cleo research link',
  }
  const foreign: Record<string, string> = {
    TOPIC: task.title,
    TASK_TITLE: task.title,
    TASK_DESCRIPTION: task.description,
    TOPICS_JSON: JSON.stringify(task.labels),
    ACCEPTANCE_CRITERIA: task.criteria.map(({ n, text }) => `${n}. ${text}`).join('\n') || 'none',
  }
  return {
    ...mapped(own, (text) => ({ text })),
    ...mapped(foreign, (text) => ({ text, foreign: true, from: task.id })),
  }
}

const mapped = <T, U>(record: Record<string, T>, change: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))

/** What `${…}` means where neither the environment nor the caller says otherwise. */
export const defaults: Readonly<Record<string, string>> = {
  CLEO_ROOT: '.cleo/',
  RESEARCH_DIR: 'claudedocs/agent-outputs/',
  MANIFEST_FILE: 'claudedocs/agent-outputs/MANIFEST.jsonl',
  SPECS_DIR: 'docs/specs/',
}
