import type { SpawnOptions } from '../claims/sql/spawns.ts'
import { commandsForSpawn, type Pins } from '../commands/project-commands.ts'
import { requiredGates } from '../evidence/required-gates.ts'
import { pinsOf } from '../evidence/spawn-terms.ts'
import { hasRepository } from '../host/repository.ts'
import { hmacSha256 } from '../host/sha256.ts'
import type { Fault } from '../kernel/result.ts'
import { priorities } from '../kernel/task.ts'
import type { Context } from '../operation/context.ts'
import { projectSecret } from '../project/secret.ts'
import type { Facts } from '../prompt/facts.ts'
import { chooseNonce } from '../prompt/fence.ts'
import type { Limits } from '../prompt/fit-prompt.ts'
import { taskWords } from '../prompt/task-context.ts'
import { foreignTexts } from '../prompt/tokens/loaded.ts'
import { breachSentence } from '../receive/breach.ts'
import { limitsOf } from './budget.ts'
import { type checklistCodes, taskFaults } from './checklist.ts'
import { folders } from './folders.ts'
import type { Gathered } from './gather.ts'
import { lackedFiles } from './lacked-files.ts'
import { type ChosenSkills, chooseSkills } from './skills.ts'
import { loadTexts, type Texts } from './texts.ts'

type PrepareCode = (typeof checklistCodes)[number] | 'skill.missing' | 'skill.twice' | 'spawn.folder'

/** Everything a prompt needs from outside, read once; what is left to do is pure. */
export interface Prepared {
  /** Without the id of the spawn, which is known last. */
  facts: Omit<Facts, 'spawnId'>
  chosen: ChosenSkills
  texts: Texts
  nonce: string
  /** The folder the output file goes to. */
  output: string
  limits: Limits
  /** The project's commands as they are now: evidence is taken by these. */
  pins: Pins
  faults: Fault<PrepareCode>[]
  warnings: string[]
}

export const prepare = async (
  context: Context,
  gathered: Gathered,
  wishes: SpawnOptions,
): Promise<Prepared> => {
  const { config, session } = context
  const { row, root } = gathered
  const chosen = await chooseSkills(context, gathered, wishes)
  const { protocol } = chosen
  const stage = row.stage ?? protocol
  const tier = (wishes.tier ?? 1) as Facts['tier']
  const { paths, output, faults: folderFaults } = await folders(context, root.id, wishes)
  const own = await commandsForSpawn(context, paths.work, pinsOf(gathered.latest))
  const lacked = await lackedFiles(context, wishes.references ?? [])
  const breach = wishes.breach === undefined ? undefined : breachSentence(wishes.breach)
  const facts: Prepared['facts'] = {
    task: {
      id: row.id,
      title: row.title,
      description: row.description,
      type: row.type,
      size: row.size,
      priority: priorities[row.priority]!,
      labels: gathered.labels,
      files: gathered.files,
      criteria: gathered.criteria,
      notes: gathered.notes,
    },
    epic: { id: root.id, title: root.title },
    depends: gathered.depends,
    findings: gathered.findings,
    ...(lacked.files.length > 0 && { references: lacked.files }),
    ...(breach && { breach }),
    protocol,
    stage,
    tier,
    gates: requiredGates(protocol, stage, config),
    commands: own.commands,
    git: hasRepository(context.host, paths.work),
    paths,
    ...(session && { session: session.id }),
  }
  const texts = await loadTexts(context, { protocol, stage, tier }, chosen.skills)
  return {
    facts,
    chosen,
    texts,
    output,
    limits: limitsOf(config),
    pins: own.pins,
    nonce: nonceFor(await projectSecret(context), foreign(facts, texts)),
    faults: [...taskFaults(gathered, config), ...chosen.faults, ...folderFaults],
    warnings: [...chosen.warnings, ...own.warnings, ...lacked.warnings, ...texts.warnings],
  }
}

/** Every text that is not CLEO's own and could reach the prompt. */
const foreign = (facts: Prepared['facts'], texts: Texts): string[] => [
  taskWords(facts),
  ...facts.findings.flatMap(({ lines }) => lines),
  ...(facts.references ?? []).map(({ text }) => text),
  ...texts.sources.flatMap(({ loaded }) => foreignTexts(loaded)),
  ...texts.fenced,
]

/** The same texts give the same marks, so that the same inputs give the same prompt. */
const nonceFor = (secret: string, texts: readonly string[]): string =>
  chooseNonce(texts, (n) => hmacSha256(secret, [String(n), ...texts]).slice(0, 8))
