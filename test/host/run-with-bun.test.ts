import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ProcessResult } from '../../src/host/host.ts'

// The tests run on Node, but these two functions need Bun. So each case is a short script that Bun itself runs.
const source = join(import.meta.dirname, '..', '..', 'src', 'host')
const bun = join(import.meta.dirname, '..', '..', 'node_modules', '.bin', 'bun')
const megabytes = 20
const size = megabytes * 1_000_000

let folder: string
let blob: string
let text: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cleo-run-with-bun-'))
  const lines = Array.from({ length: size / 10 }, (_, n) => `${String(n).padStart(9, '0')}\n`)
  text = lines.join('')
  writeFileSync(join(folder, 'large'), text)
  const git = (...args: string[]) => spawnSync('git', args, { cwd: folder, encoding: 'utf8' }).stdout.trim()
  git('init', '--quiet')
  blob = git('hash-object', '-w', 'large')
})
afterAll(() => rmSync(folder, { recursive: true }))

interface Run {
  program: string
  args: string[]
  maxBytes: number
}

/** Runs a program with one of the two functions, and returns its result with a hash in place of the output. */
const runOnBun = (name: 'runWithBun' | 'runGroupWithBun', { program, args, maxBytes }: Run) => {
  const module = name === 'runWithBun' ? 'run-with-bun.ts' : 'run-group-with-bun.ts'
  const options = { cwd: folder, env: { PATH: process.env['PATH'] }, input: '', timeoutMs: 60_000, maxBytes }
  const script = `
    import { ${name} } from ${JSON.stringify(join(source, module))}
    const given = ${JSON.stringify([program, args, options])}
    const ran = await ${name}(Bun, ...given)
    const hash = new Bun.CryptoHasher('sha256').update(ran.tail ?? '').digest('hex')
    console.log(JSON.stringify({ ...ran, tail: hash, length: ran.tail?.length }))`
  const { stdout, stderr } = spawnSync(bun, ['-e', script], { cwd: folder, encoding: 'utf8' })
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout) as ProcessResult & { length: number }
}

for (const name of ['runWithBun', 'runGroupWithBun'] as const) {
  test(`${name} returns ${megabytes} MB of git's output as a whole`, () => {
    const ran = runOnBun(name, { program: 'git', args: ['cat-file', 'blob', blob], maxBytes: size })
    const tail = createHash('sha256').update(text).digest('hex')
    expect(ran).toEqual({ end: 'exited', code: 0, tail, length: size })
  })

  test(`${name} reports output that is one byte too long`, () => {
    const ran = runOnBun(name, { program: 'git', args: ['cat-file', 'blob', blob], maxBytes: size - 1 })
    expect(ran.end).toBe('overran')
    expect(ran.length).toBeLessThan(size)
  })

  test(`${name} ends a program that never stops to write`, () => {
    const file = join(folder, `${name}.pid`)
    const args = ['-c', 'echo $$ > "$1"; exec yes', 'sh', file]
    const ran = runOnBun(name, { program: 'sh', args, maxBytes: 1_000_000 })
    expect(ran.end).toBe('overran')
    expect(ran.length).toBeLessThanOrEqual(1_000_000)
    const pid = Number(readFileSync(file, 'utf8'))
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })
}
