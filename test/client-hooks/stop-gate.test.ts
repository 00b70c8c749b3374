import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { HookEvent } from '../../src/client-hooks/hook-event.ts'
import { judgeStop } from '../../src/client-hooks/stop-gate.ts'
import { nodeHost } from '../../src/host/node-host.ts'
import { onEveryStore, type TestProject } from '../support/project.ts'
import { addTask, send } from '../support/subagent.ts'

const stopOf = (agent: string, message: string): HookEvent => ({
  client: 'codex',
  kind: 'subagent stop',
  name: 'SubagentStop',
  session: 's',
  agent,
  input: {},
  message,
})
const line = 'Research complete. See MANIFEST.jsonl for summary.'

/** Whether CLEO keeps the agent of T002.1 from stopping. */
const isHeld = async (project: TestProject, message = line, agent = 'a'): Promise<boolean> =>
  (await judgeStop(await project.store(), nodeHost(), 'T002.1', stopOf(agent, message))) !== undefined

const sendResearch = async (project: TestProject) => {
  await addTask(project, { title: 'Compare forms', labels: ['research'] })
  return send(project, 'T002', { protocol: 'research' })
}

onEveryStore((withProject) => {
  test('[PROV-3] an agent is sent back at most five times, and three times without progress', () =>
    withProject(async (project) => {
      const { as } = await sendResearch(project)
      const idle: boolean[] = []
      for (let i = 0; i < 6; i++) idle.push(await isHeld(project, 'Done.', 'idle'))
      expect(idle, 'an idle agent is let go').toEqual([true, true, true, false, false, false])
      const busy: boolean[] = []
      for (let i = 0; i < 8; i++) {
        await as.must('tasks.note', { id: 'T002', text: `Step ${i}` })
        busy.push(await isHeld(project, 'Done.', 'busy'))
      }
      expect(busy, 'a busy agent is let go').toEqual([true, true, true, true, true, false, false, false])
      const { spawn } = await project.must('tasks.show', { id: 'T002' })
      expect(spawn?.released).toBe('no manifest entry, T002 is pending, not done')
    }))

  test('[PROV-3] the return line is not enough to stop: the entry and the completion must be there', () =>
    withProject(async (project) => {
      const { as } = await sendResearch(project)
      expect(await isHeld(project), 'held without an entry').toBe(true)
      const focused = await as.must('focus.set', { id: 'T002' })
      const file =
        (focused as { output?: string }).output ??
        join(project.root, 'claudedocs/agent-outputs/T002-compare-forms.md')
      writeFileSync(
        file,
        readFileSync(file, 'utf8').replace(/^## (Summary|References)$/gm, '$&\n\n- .cleo/config.json:1'),
      )
      const findings = ['One is short.', 'One is long.', 'The short one wins.']
      await as.must('pipeline.manifest.append', { status: 'complete', finding: findings } as never)
      expect(await isHeld(project), 'held without a completion').toBe(true)
      await as.must('tasks.complete', { id: 'T002' })
      expect(await isHeld(project, 'I am done.'), 'held without the line').toBe(true)
      expect(
        await isHeld(project, 'Research partial. See MANIFEST.jsonl for details.'),
        'held with another status',
      ).toBe(true)
      expect(await isHeld(project), 'free').toBe(false)
    }))
})
