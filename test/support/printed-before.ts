import { existsSync, rmSync } from 'node:fs'
import { nodeHost } from '../../src/host/node-host.ts'
import { contextUsagePath, openContextUsage } from '../../src/overview/context-usage.ts'
import { type PrintedTokens, printedTokens } from '../../src/overview/printed-tokens.ts'

const pathOf = (root: string, session: string): string => contextUsagePath(`${root}/.cleo`, session)!
const open = (path: string) => openContextUsage(nodeHost().files, path)

/** Records that a session has printed exactly these answers, each with its number of model tokens. */
export const printedBefore = (
  root: string,
  session: string,
  answers: readonly [operation: string, tokens: number][],
): void => {
  const path = pathOf(root, session)
  rmSync(path, { force: true })
  const usage = open(path)
  for (const [operation, tokens] of answers) usage.add(operation, tokens)
}

/** Returns the model tokens that a session has printed, by operation. */
export const printedIn = (root: string, session: string): PrintedTokens[] => {
  const path = pathOf(root, session)
  return existsSync(path) ? printedTokens(open(path)) : []
}
