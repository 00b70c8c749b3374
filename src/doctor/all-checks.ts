import type { Check } from './check.ts'
import { counter, counts } from './count-checks.ts'
import { database } from './database-check.ts'
import { drafts } from './drafts-check.ts'
import { backups, configFile, modes, trust } from './file-checks.ts'
import { gitIgnore, gitTracked } from './git-checks.ts'
import { manifest } from './manifest-check.ts'
import { outputs } from './outputs-check.ts'
import { schema } from './schema-check.ts'
import { prompts, worktrees } from './spawn-checks.ts'
import {
  claims,
  closedParents,
  entryText,
  expiredClaims,
  quarantine,
  sessions,
  taskText,
} from './store-checks.ts'
import { cycles, references, tree } from './task-graph-checks.ts'
import { twoStores } from './two-stores-check.ts'
import { writable } from './writable-check.ts'

/** All checks in the order in which they run. Later checks rely on what earlier checks found. */
export const checks: readonly Check[] = [
  configFile,
  modes,
  writable,
  database,
  schema,
  twoStores,
  references,
  tree,
  cycles,
  counts,
  counter,
  closedParents,
  claims,
  expiredClaims,
  sessions,
  taskText,
  entryText,
  prompts,
  worktrees,
  manifest,
  quarantine,
  outputs,
  gitIgnore,
  gitTracked,
  trust,
  drafts,
  backups,
]
