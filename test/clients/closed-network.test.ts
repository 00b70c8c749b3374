import { describe, expect, test } from 'vitest'
import { type Job, modelUrl, runClosed, whyOpen } from './closed-network.ts'

const why = whyOpen()
if (why) console.warn(`SKIPPED: ${why}`)

const job = (script: string): Job => ({
  scenario: { agents: {} },
  command: [process.execPath, '-e', script],
  cwd: '/',
  env: { PATH: process.env['PATH'] ?? '' },
  input: '',
  limit: 20_000,
})

describe.skipIf(why)('[PROV-3] the closed network', () => {
  test('reaches the scripted model', async () => {
    const asked = `fetch('${modelUrl}/v1/models').then((answer) => console.log(answer.status))`
    expect(await runClosed(job(asked))).toMatchObject({
      exit: 0,
      stdout: '200\n',
      served: [{ path: 'GET /v1/models' }],
      lookups: [],
      refusedPackets: 0,
      left: [],
    })
  })

  test('notes the name of a host that is looked up, and gives no answer', async () => {
    const asked = "fetch('https://example.com/secret').catch((error) => console.log(error.cause.code))"
    const report = await runClosed(job(asked))
    expect(report.stdout).toBe('ENOTFOUND\n')
    expect(report.lookups).toEqual(['example.com'])
  })

  test('counts packets to an address', async () => {
    const asked =
      "require('net').connect(443, '93.184.215.14').on('error', (error) => console.log(error.code))"
    const report = await runClosed(job(asked))
    expect(report.stdout).toBe('ENETUNREACH\n')
    expect(report.refusedPackets).toBeGreaterThan(0)
  })

  test('ends and names what is left running, and what takes too long', async () => {
    const left =
      "require('child_process').spawn('sleep', ['987'], { detached: true, stdio: 'ignore' }).unref()"
    expect((await runClosed(job(left))).left).toEqual(['sleep 987'])
    const hanging = { ...job('setInterval(() => 0, 1000)'), limit: 500 }
    expect(await runClosed(hanging)).toMatchObject({ exit: null, late: true })
  })
})
