import type { Config } from '../../model/config.ts'

/** Where things are: the environment may say otherwise. */
const places = ['CLEO_ROOT', 'RESEARCH_DIR', 'MANIFEST_FILE', 'SPECS_DIR']

/** What a spawn knows by itself. An environment that could change these could hand an agent another task. */
const facts = [
  ...['TASK_ID', 'EPIC_ID', 'DATE', 'TOPIC', 'TOPIC_SLUG', 'OUTPUT_DIR', 'MANIFEST_PATH', 'RESEARCH_ID'],
  ...['SESSION_ID', 'PROJECT_ROOT', 'SKILL_ROOT', 'CLAUDE_PLUGIN_ROOT', 'PROTOCOL', 'TIER'],
  ...['TASK_TITLE', 'TASK_DESCRIPTION', 'TOPICS_JSON', 'DEPENDS_LIST', 'ACCEPTANCE_CRITERIA'],
  ...['TASK_SHOW_CMD', 'TASK_FOCUS_CMD', 'TASK_COMPLETE_CMD', 'TASK_LINK_CMD'],
]

// Holds a password.
const never = ['CLEO_DATABASE_URL', ...facts]

/** The names that may be read from the environment; any other is unresolved, never read. */
export const allowedNames = ({ tokens }: Pick<Config, 'tokens'>): Set<string> => {
  const allowed = new Set([...places, ...(tokens?.env ?? [])])
  for (const name of never) allowed.delete(name)
  return allowed
}
