import { bun, type Hasher } from './bun.ts'

// Loaded only on Node: Bun has its own hasher, and loading `node:crypto` would take longer than a whole command.
const crypto = () => process.getBuiltinModule('node:crypto')

export const newHash = (kind: 'sha1' | 'sha256' = 'sha256'): Hasher =>
  bun ? new bun.CryptoHasher(kind) : crypto().createHash(kind)

export const sha256 = (text: string | Uint8Array): string => hashed(newHash(), [text])

/** Covers the lengths of the strings, so that moving text from one string to the next changes the hash. */
export const hmacSha256 = (key: string, texts: readonly string[]): string =>
  hashed(
    bun ? new bun.CryptoHasher('sha256', key) : crypto().createHmac('sha256', key),
    texts.flatMap((text) => [`${text.length}\n`, text]),
  )

const hashed = (hasher: Hasher, parts: readonly (string | Uint8Array)[]): string => {
  for (const part of parts) hasher.update(part)
  return hasher.digest('hex')
}
