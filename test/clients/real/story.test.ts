import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeClients } from '../real-clients.ts'
import { honest, sum } from '../scripts.ts'
import { keepSession } from '../session.ts'
import { setUp } from '../set-up.ts'

/** The section of the README that a newcomer follows, with its commands and the sentence to say. */
const section = /## Use it with Claude Code or Codex\n[\s\S]*?\n## /.exec(
  readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8'),
)![0]
const commands = /```sh\n([\s\S]*?)```/
  .exec(section)![1]!
  .trim()
  .split('\n')
  .map((line) => line.replace(/\s+#.*$/, ''))
const sentence = /Then tell it what you want: "([^"]+)"/.exec(section)![1]!
const worker = 'T002.1.md and follow it exactly'

describeClients("a newcomer's first session", ['claude'], (play, client) => {
  test('[PROV-2] cleo init, cleo setup, one sentence, and an epic is worked on under the contract', () =>
    play(async (stage) => {
      expect(commands).toEqual(['cleo init', 'cleo setup claude'])
      // At first, there are only the newcomer's own files.
      expect(readdirSync(stage.home)).toEqual([])
      expect(readdirSync(stage.project).sort()).toEqual(['.git', 'package.json', 'sum.js', 'sum.test.js'])
      await stage.person(commands[0]!)
      // `setUp` runs `cleo setup claude` with `--yes`, because there is no terminal to ask.
      const allowed = await setUp(stage, client)
      const report = await stage.client({
        prompt: sentence,
        allowed,
        scenario: {
          agents: {
            lead: {
              when: sentence,
              hears: { prompt: 'Read (/\\S+\\.md) and follow it exactly' },
              steps: [
                {
                  shell: 'cleo add Sums --type epic --description "Sums are right."',
                  // These texts come from the instruction file and from the context of the session start.
                  needs: ['The tasks of this project are in CLEO', 'ct-orchestrator'],
                },
                {
                  shell:
                    'cleo add "Fix sum" --parent T001 --description "sum subtracts." --acceptance "1 + 2 is 3" --files sum.js,sum.test.js',
                },
                { shell: 'cleo next' },
                { shell: 'cleo spawn T002 --ref', needs: ['T002'] },
                { agent: { type: 'cleo-subagent', prompt: 'Read ${prompt} and follow it exactly.' } },
                { wait: true },
                { shell: "cleo receive T002 --message - <<'RETURNED'\n${last}\nRETURNED" },
                {
                  say: 'Sums are right. `cleo land T001` brings the work into your branch.',
                  needs: ['cleo land T001'],
                },
              ],
            },
            worker: honest(worker),
          },
        },
      })
      keepSession(report, stage, client, 'first-session')
      await stage.person('git add -A && git commit -qm "Set up CLEO" && cleo land T001')
      expect(readFileSync(join(stage.project, 'sum.js'), 'utf8')).toBe(sum)
      expect(await stage.ask('cleo show T001')).toMatchObject({ status: 'done' })
    }))
})
