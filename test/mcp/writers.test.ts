import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { data, executable, node, start } from '../support/cleo.ts'
import { cleo, startClient } from '../support/mcp-client.ts'
import { postgresDatabase } from '../support/postgres.ts'
import { withTemp } from '../support/temp.ts'

const each = 25

describe.each(['sqlite', 'postgres'])('[OPS-3] on %s', (store) => {
  test('two long-lived servers and a command line write at once, and no id is given twice', () =>
    withTemp(async (cwd) => {
      const env: Record<string, string> =
        store === 'postgres' ? { CLEO_DATABASE_URL: await postgresDatabase() } : {}
      cleo(cwd, ['init'], env)
      const servers = [executable, node].map((runtime) => startClient({ cwd, runtime, env }))
      for (const server of servers) await server.initialize()
      const numbers = Array.from({ length: each }, (_, i) => i)
      const byServers = servers.map((server, s) =>
        Promise.all(numbers.map((i) => server.tool('add', { title: `Server ${s}, task ${i}` }))),
      )
      const byCommand = (async () => {
        const ids: string[] = []
        for (const i of numbers.slice(0, 10))
          ids.push(data<{ id: string }>(await start(executable, ['add', `Command ${i}`], { cwd, env })).id)
        return ids
      })()
      const answers = (await Promise.all(byServers)).flat()
      expect(answers.filter(({ isError }) => isError)).toEqual([])
      const ids = [...answers.map((answer) => String(answer.data?.['id'])), ...(await byCommand)]
      expect(new Set(ids).size).toBe(2 * each + 10)
      // Each server sees what the others wrote.
      for (const server of servers)
        expect((await server.tool('query', { domain: 'tasks', operation: 'list' })).page).toMatchObject({
          total: 2 * each + 10,
        })
      for (const server of servers) expect(await server.close()).toBe(0)
    }))
})

test('[OPS-3] a server that waits for a lock goes on answering', () =>
  withTemp(async (cwd) => {
    cleo(cwd, ['init'])
    const client = startClient({ cwd })
    await client.initialize()
    await client.tool('add', { title: 'First' })
    const other = new DatabaseSync(`${cwd}/.cleo/cleo.db`)
    other.exec('BEGIN IMMEDIATE')
    let isWritten = false
    const written = client.tool('add', { title: 'Second' }).finally(() => {
      isWritten = true
    })
    await pause(100)
    // If the server blocked, it would answer these only after the other call.
    for (let i = 0; i < 5; i++) {
      expect((await client.request('ping')).result).toEqual({})
      expect(isWritten).toBe(false)
    }
    other.exec('ROLLBACK')
    other.close()
    expect((await written).data).toMatchObject({ id: 'T002' })
    expect(await client.close()).toBe(0)
  }))
