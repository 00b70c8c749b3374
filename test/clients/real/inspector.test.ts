import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { executable } from '../../support/cleo.ts'
import { withTemp } from '../../support/temp.ts'
import { fetchClient } from '../fetched.ts'

const inspector = fetchClient('inspector')
if (typeof inspector === 'string') console.warn(`SKIPPED: the check of the MCP inspector: ${inspector}`)
else console.log(`inspector: the program says ${inspector.says}`)

test.skipIf(typeof inspector === 'string')(
  '[OPS-3] the strict check of the MCP inspector finds nothing',
  () =>
    withTemp(async (cwd) => {
      const [program, ...args] = (inspector as Exclude<typeof inspector, string>).command
      const { status, stdout, stderr } = spawnSync(
        program!,
        [...args, '--cli', ...executable.command, 'mcp', '--method', 'tools/list', '--strict'],
        { cwd, encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: cwd } },
      )
      expect(stderr).toBe('')
      expect(status).toBe(0)
      expect(JSON.parse(stdout).tools.length).toBe(18)
    }),
)
