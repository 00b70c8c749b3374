import { hmacSha256 } from '../../host/sha256.ts'
import { chooseNonce } from '../../prompt/spawn/fence.ts'
import type { Project } from '../context.ts'

/**
 * What makes the marks of a fence unguessable from inside: random, known to this project's folder alone. The first
 * spawn makes it; of two that come at once one wins and both read the same.
 */
export const projectSecret = async ({ host, folder }: Pick<Project, 'host' | 'folder'>): Promise<string> => {
  const path = `${folder}/secret`
  const read = async () => (await host.files.load(path))?.trim()
  const found = await read()
  if (found) return found
  host.files.writeNew(path, `${host.randomId(40)}\n`, 0o600)
  return (await read())!
}

/** The same texts give the same marks, so that the same inputs give the same prompt. */
export const nonceFor = (secret: string, texts: readonly string[]): string =>
  chooseNonce(texts, (n) => hmacSha256(secret, [String(n), ...texts]).slice(0, 8))
