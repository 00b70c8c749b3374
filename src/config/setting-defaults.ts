import { defaultLeaseMinutes, defaultQuietMinutes } from '../claims/lease.ts'
import { runDefaults, worktreeDefaults } from '../kernel/config-words.ts'
import { stageWork } from '../kernel/protocol.ts'
import { stages } from '../kernel/task.ts'
import { defaultOutput } from '../output/manifest-path.ts'
import type { RawConfig } from '../project/config-file.ts'
import { defaultSeconds } from '../project-commands/run-command.ts'
import { defaultLimits } from '../prompt/fit-prompt.ts'
import { requiredGates } from '../standing/required-gates.ts'
import { defaultMostFiles } from '../tasks/spawn-problems.ts'
import { valueAt } from './setting-values.ts'

let known: ReadonlyMap<string, unknown> | undefined

export const defaultOf = (key: string, project: RawConfig): unknown => {
  known ??= defaultValues()
  return key === 'manifest.path'
    ? `${valueAt(project, ['output', 'dir']) ?? known.get('output.dir')}/MANIFEST.jsonl`
    : known.get(key)
}

const defaultValues = (): ReadonlyMap<string, unknown> =>
  new Map<string, unknown>([
    ['claims.lease', defaultLeaseMinutes],
    ['claims.quiet', defaultQuietMinutes],
    ['output.dir', defaultOutput],
    ...Object.entries(defaultLimits).map(([part, tokens]): [string, unknown] => [`budget.${part}`, tokens]),
    ['budget.family', 'gpt'],
    ...stages().map((stage): [string, unknown] => [
      `gates.required.${stage}`,
      requiredGates(stageWork[stage].protocol, stage, {}),
    ]),
    ['gates.always', false],
    ['gates.reports', false],
    ['gates.timeout', defaultSeconds],
    ['compliance', 'refuse'],
    ['spawn.maxFiles', defaultMostFiles],
    ['stages', true],
    ['worktrees.by', worktreeDefaults.by],
    ['worktrees.minFree', worktreeDefaults.minFree],
    ['merge.batch', worktreeDefaults.batch],
    ...Object.entries(runDefaults).map(([name, value]): [string, unknown] => [`run.${name}`, value]),
    ['mcp.runCommands', false],
    ['people.allowClients', false],
  ])
