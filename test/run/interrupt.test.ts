import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { buildSteps } from '../reliability/run-kills.ts'
import { run, runtimeEnvironment, runtimes } from '../support/cleo.ts'
import { commit, repository } from '../support/subagent.ts'
import { withTemp } from '../support/temp.ts'

const until = async (what: string, holds: () => boolean): Promise<void> => {
  for (const began = performance.now(); !holds(); await pause(20))
    expect(performance.now() - began, what).toBeLessThan(60_000)
}

test.each(runtimes)(
  '[RUN-1] the first Ctrl-C lets the checks of received work end, and the work is merged ($name)',
  (runtime) =>
    withTemp(async (root) => {
      repository(root)
      const [began, released] = [join(root, '.home-began'), join(root, '.home-released')]
      commit(root, 'Check slowly', {
        'check.sh': `touch ${began}\nuntil test -e ${released}; do sleep 0.05; done\n`,
      })
      const cleo = (...args: string[]) => {
        const ran = run(runtime, args, { cwd: root })
        expect(ran.exit, ran.stdout + ran.stderr).toBe(0)
      }
      cleo('init')
      cleo('config', 'set', 'commands.test', 'sh check.sh')
      cleo('add', 'Modules', '--type', 'epic', '--description', 'All of them.')
      cleo('add', 'Build one', '--parent', 'T001', '--description', 'Build it.')
      cleo('add', 'Build two', '--parent', 'T001', '--description', 'Build it.', '--depends', 'T002')
      const scenario = join(root, '.home-scenario.json')
      writeFileSync(scenario, JSON.stringify({ tasks: { '*': [buildSteps] } }))
      const [program, ...first] = runtime.command
      const driver = spawn(
        program!,
        [...first, 'run', 'T001', '--agent', 'scripted', '--scenario', scenario],
        { cwd: root, env: runtimeEnvironment(runtime, { cwd: root }), stdio: 'ignore' },
      )
      const ended = new Promise<number | null>((resolve) => driver.on('close', resolve))
      const kinds = (): unknown[] => {
        const db = new DatabaseSync(join(root, '.cleo', 'cleo.db'), { readOnly: true })
        const rows = db.prepare('SELECT kind FROM run_events ORDER BY seq').all()
        db.close()
        return rows.map(({ kind }) => kind)
      }
      try {
        await until('the check runs', () => existsSync(began))
        driver.kill('SIGINT')
        await until('the run drains', () => kinds().includes('draining'))
      } finally {
        writeFileSync(released, '')
      }
      await ended
      const all = kinds()
      expect(all).toContain('merged')
      expect(all, 'one signal counts once').not.toContain('stopping')
      expect(
        all.filter((kind) => kind === 'started'),
        'no further agent starts',
      ).toHaveLength(1)
    }),
)
