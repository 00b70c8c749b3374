import type { Project } from '../operation/context.ts'
import { limits } from '../prompt/tokens/limits.ts'
import type { Loaded, Output, Reference } from '../prompt/tokens/loaded.ts'
import { commandKey, needsOf } from '../prompt/tokens/needs.ts'
import { scan } from '../prompt/tokens/scan.ts'
import type { Source } from '../prompt/tokens/source.ts'
import { loadReference } from './load-reference.ts'
import { runCommand } from './run-command.ts'

/**
 * Loads what the tokens of a template need: files, globs, commands, and what the templates it includes need in turn.
 * Nothing else is read or run for its sake; what was loaded as data is not looked at for tokens.
 */
export const loadNeeds = async (
  project: Pick<Project, 'host' | 'root' | 'config'>,
  source: Source,
): Promise<Loaded> => {
  const references = new Map<string, Reference>()
  const commands = new Map<string, Output>()
  const room = { bytes: limits.allBytes }
  const tokens = scan(source.text)
  let scanned = source.kind === 'template' ? [tokens] : []
  for (let depth = 0; depth <= limits.depth && scanned.length > 0; depth++) {
    const included: string[] = []
    for (const needs of scanned.map(needsOf)) {
      for (const path of needs.references) {
        if (references.has(path)) continue
        const reference =
          references.size < limits.files ? await loadReference(project, source, path, room) : tooMany(path)
        references.set(path, reference)
        for (const { template, text } of reference.pieces) if (template) included.push(text)
      }
      for (const words of needs.commands) {
        const key = commandKey(words)
        if (!commands.has(key))
          commands.set(
            key,
            commands.size < limits.commands ? await runCommand(project, source, words) : overrun,
          )
      }
    }
    scanned = included.map(scan)
  }
  return { tokens, references, commands }
}

const tooMany = (path: string): Reference => ({
  pieces: [],
  left: [{ path, why: `comes after ${limits.files} others` }],
})
const overrun: Output = { ok: false, why: `more than ${limits.commands} commands` }
