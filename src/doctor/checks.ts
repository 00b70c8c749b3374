import { backups } from './backups.ts'
import type { Check } from './check.ts'
import { claims } from './claims.ts'
import { closedParents } from './closed-parents.ts'
import { configFile } from './config-file.ts'
import { counter } from './counter.ts'
import { counts } from './counts.ts'
import { cycles } from './cycles.ts'
import { database } from './database.ts'
import { drafts } from './drafts.ts'
import { folderModes } from './folder-modes.ts'
import { gitIgnore } from './git-ignore.ts'
import { gitTracked } from './git-tracked.ts'
import { manifest } from './manifest.ts'
import { oldClaims } from './old-claims.ts'
import { outputs } from './outputs.ts'
import { prompts } from './prompts.ts'
import { quarantine } from './quarantine.ts'
import { references } from './references.ts'
import { schema } from './schema.ts'
import { sessions } from './sessions.ts'
import { taskText } from './task-text.ts'
import { texts } from './texts.ts'
import { tree } from './tree.ts'
import { trust } from './trust.ts'
import { twoStores } from './two-stores.ts'
import { worktrees } from './worktrees.ts'
import { writable } from './writable.ts'

/** Everything that is looked at, in this order: what the rest stands on comes first. */
export const checks: readonly Check[] = [
  configFile,
  folderModes,
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
  oldClaims,
  sessions,
  taskText,
  texts,
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
