import type { Write } from '../operation/context.ts'
import { key } from '../project/trust-records.ts'
import type { CommandChange } from '../project-commands/spawn-commands.ts'
import { recordQuestion, trustOperation } from '../questions/ask.ts'

/** Asks a person about commands that changed since the last spawn: an agent may have changed them for this task. */
export const askAboutCommands = async (
  tx: Write,
  task: string,
  changes: readonly CommandChange[],
): Promise<void> => {
  for (const { tool, why, item } of changes)
    await recordQuestion(tx, trustOperation, task, {
      kind: 'person',
      matter: item ? `trust ${key(item)} ${item.sha256}` : `trust removed ${tool}`,
      asked: JSON.stringify({ operation: trustOperation, ...(item && { item }), why }),
    })
}
