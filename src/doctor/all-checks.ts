import { integrationBranches, spawnBranches } from './branch-checks.ts'
import type { Check } from './check.ts'
import { clientHooks } from './clients-check.ts'
import { counter, counts } from './count-checks.ts'
import { database } from './database-check.ts'
import { drafts } from './drafts-check.ts'
import { backups, configFile, links, modes, trust } from './file-checks.ts'
import { gitIgnore, gitTracked } from './git-checks.ts'
import { interrupted } from './interrupted-check.ts'
import { manifest } from './manifest-check.ts'
import { lostDatabase, otherProject, outerBackups } from './outer-checks.ts'
import { outputs } from './outputs-check.ts'
import { schema } from './schema-check.ts'
import { prompts, worktrees } from './spawn-checks.ts'
import {
  claimClock,
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
import { idle, strayWorktrees, worktreeFolders, worktreeLeftovers } from './worktree-checks.ts'
import { writable } from './writable-check.ts'

/** All checks in the order in which they run. Later checks rely on what earlier checks found. */
export const checks: readonly Check[] = [
  configFile,
  links,
  modes,
  writable,
  lostDatabase,
  otherProject,
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
  claimClock,
  expiredClaims,
  sessions,
  taskText,
  entryText,
  prompts,
  worktrees,
  worktreeFolders,
  idle,
  strayWorktrees,
  worktreeLeftovers,
  integrationBranches,
  spawnBranches,
  manifest,
  quarantine,
  outputs,
  gitIgnore,
  gitTracked,
  trust,
  drafts,
  interrupted,
  backups,
  outerBackups,
  clientHooks,
]
