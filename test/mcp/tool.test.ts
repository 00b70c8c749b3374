import Tokenizer from 'ai-tokenizer'
import * as claude from 'ai-tokenizer/encoding/claude'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { allOperations } from '../../scripts/operations.ts'
import { namedTools } from '../../src/mcp/generated/tools.ts'
import { executable, run, runtimes } from '../support/cleo.ts'
import { startClient } from '../support/mcp-client.ts'
import { withTemp } from '../support/temp.ts'

test.each(runtimes)('[OPS-3] the tools, prompts and instructions have the same bytes in $name', (runtime) =>
  withTemp(async (cwd) => {
    const client = startClient({ cwd, runtime })
    const { result: made } = await client.initialize()
    const { result: listed } = await client.request('tools/list')
    const { result: prompts } = await client.request('prompts/list')
    await client.close()
    expect(made?.['serverInfo']).toMatchObject({ name: 'cleo' })
    const { instructions } = made as { instructions: string }
    const all = `${JSON.stringify({ instructions, ...listed, ...prompts }, null, 2)}\n`
    await expect(all).toMatchFileSnapshot('golden/tools.json')
    expect(listed?.['tools']).toHaveLength(namedTools.length + 2)
    const text = JSON.stringify(listed)
    const tokens = { o200k: countTokens(text), claude: new Tokenizer(claude).count(text) }
    console.log(`tools/list: ${namedTools.length + 2} tools, ${JSON.stringify(tokens)} tokens`)
    expect(tokens.o200k).toBeLessThanOrEqual(2000)
    expect(tokens.claude).toBeLessThanOrEqual(2000)
    expect(countTokens(instructions)).toBeLessThan(150)
  }),
)

test('[OPS-3] at most 16 operations have a tool, named after the command, with all three hints true', async () => {
  const found = await allOperations()
  expect(namedTools.length).toBeLessThanOrEqual(16)
  for (const { name, operation, annotations, inputSchema } of namedTools) {
    const definition = found.find((each) => each.operation.name === operation)!.operation
    expect(name).toMatch(/^[a-z]+(_[a-z]+)?$/)
    expect(annotations).toEqual({
      readOnlyHint: definition.kind === 'query',
      destructiveHint: false,
      openWorldHint: definition.runsCommands !== undefined,
    })
    expect(Object.keys(inputSchema.properties)).toContain('as')
    expect(definition.personOnly === true).toBe(false)
  }
})

test('[OPS-3] no operation has a field with the name of an option that every call takes', async () => {
  const names = (await allOperations()).flatMap(({ operation }) => Object.keys(operation.input.entries))
  expect(names.filter((name) => ['as', 'session', 'dryRun'].includes(name))).toEqual([])
})

test('[OPS-3] cleo mcp has help, and refuses what it does not take, all at once', () =>
  withTemp((cwd) => {
    const env = { CLEO_FORMAT: 'human' }
    for (const words of [
      ['mcp', '--help'],
      ['help', 'mcp'],
    ]) {
      const { exit, stdout } = run(executable, words, { cwd, env })
      expect([exit, stdout.split('\n')[0]]).toEqual([
        0,
        'Serve MCP to an agent client, over standard input and output.',
      ])
      expect(stdout).toContain('cleo config set mcp.runCommands true')
      expect(Math.max(...stdout.split('\n').map(({ length }) => length))).toBeLessThan(121)
    }
    expect(run(executable, ['help'], { cwd, env }).stdout).toContain('mcp')
    const { exit, stderr } = run(executable, ['mcp', 'now', '--port', '80', '--project'], { cwd, env })
    expect(exit).toBe(2)
    for (const word of ['now', '--port', '80', '--project']) expect(stderr).toMatch(new RegExp(`✗ .*${word}`))
    expect(stderr).toContain('fix: cleo mcp --help')
  }))
