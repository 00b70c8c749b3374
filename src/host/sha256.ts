import { bun, type Hasher } from './bun.ts'

// `node:crypto` takes Bun longer to load than a whole command; Bun's own is there already.
const crypto = () => process.getBuiltinModule('node:crypto')

/** For what comes in pieces. */
export const newHash = (kind: 'sha1' | 'sha256' = 'sha256'): Hasher =>
  bun ? new bun.CryptoHasher(kind) : crypto().createHash(kind)

export const sha256 = (text: string | Uint8Array): string => hashed(newHash(), [text])

/** With a key, over several texts; where one ends and the next begins counts too. */
export const hmacSha256 = (key: string, texts: readonly string[]): string =>
  hashed(
    bun ? new bun.CryptoHasher('sha256', key) : crypto().createHmac('sha256', key),
    texts.flatMap((text) => [`${text.length}\n`, text]),
  )

const hashed = (hasher: Hasher, parts: readonly (string | Uint8Array)[]): string => {
  for (const part of parts) hasher.update(part)
  return hasher.digest('hex')
}
