import type { Config } from '../../kernel/config.ts'

/** Where things are: the environment may say otherwise. */
const places = ['CLEO_ROOT', 'RESEARCH_DIR', 'MANIFEST_FILE', 'SPECS_DIR']

/** Who and where an agent is: neither the environment nor a caller can say otherwise. */
export const fixedNames: readonly string[] = [
  ...['TASK_ID', 'EPIC_ID', 'OUTPUT_DIR', 'MANIFEST_PATH', 'SESSION_ID', 'PROJECT_ROOT', 'SKILL_ROOT'],
  ...['CLAUDE_PLUGIN_ROOT', 'PROTOCOL', 'TIER', 'TASK_TITLE', 'TASK_DESCRIPTION', 'TOPICS_JSON'],
  ...['DEPENDS_LIST', 'ACCEPTANCE_CRITERIA', 'TASK_SHOW_CMD', 'TASK_FOCUS_CMD', 'TASK_COMPLETE_CMD'],
  ...['TASK_LINK_CMD'],
]

/** What a caller may put otherwise, and the environment may not. */
const givenNames = ['DATE', 'TOPIC', 'TOPIC_SLUG', 'RESEARCH_ID']

// Holds a password.
const never = ['CLEO_DATABASE_URL', ...fixedNames, ...givenNames]

/** The names that may be read from the environment; any other is unresolved, never read. */
export const allowedNames = ({ tokens }: Pick<Config, 'tokens'>): Set<string> => {
  const allowed = new Set([...places, ...(tokens?.env ?? [])])
  for (const name of never) allowed.delete(name)
  return allowed
}
