import type { Check } from './check.ts'
import { database } from './database.ts'
import { drafts } from './drafts.ts'
import { backups, configFile, modes, trust } from './file-checks.ts'
import { gitIgnore, gitTracked } from './git.ts'
import { manifest } from './manifest.ts'
import { outputs } from './outputs.ts'
import { schema } from './schema.ts'
import { prompts, worktrees } from './spawns.ts'
import {
  claims,
  closedParents,
  counter,
  counts,
  entryText,
  expiredClaims,
  quarantine,
  sessions,
  taskText,
} from './store-checks.ts'
import { cycles, references, tree } from './task-graph.ts'
import { twoStores } from './two-stores.ts'
import { writable } from './writable.ts'

/** Every check, in the order they run: later ones rely on what earlier ones checked. */
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
