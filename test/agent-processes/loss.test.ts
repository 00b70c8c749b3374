import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AgentNote, AgentRecord } from '../../src/agent-processes/agent.ts'
import { agentProcesses } from '../../src/agent-processes/processes.ts'
import { isRunning } from '../../src/host/node-own-processes.ts'
import { fileExists, hostFor, living, until } from '../support/agents.ts'
import { withTemp } from '../support/temp.ts'

/** Starts agents from another process, as a run does, and kills that process when all agents are working. */
const killedRun = (
  onLoss: 'end' | 'finish',
  scripts: readonly string[],
  work: (folder: string, records: AgentRecord[]) => Promise<void>,
): Promise<void> =>
  withTemp(async (folder) => {
    const worker = join(import.meta.dirname, 'orchestrator-worker.ts')
    const run: ChildProcess = spawn(process.execPath, [worker, folder, onLoss, ...scripts], {
      stdio: 'inherit',
    })
    const records: AgentRecord[] = []
    try {
      await fileExists(join(folder, 'records.json'))
      records.push(...(JSON.parse(readFileSync(join(folder, 'records.json'), 'utf8')) as AgentRecord[]))
      for (const { marker } of records) await until('the agent works', () => living(marker).length > 0)
      const gone = once(run, 'exit')
      run.kill('SIGKILL')
      await gone
      await work(folder, records)
    } finally {
      run.kill('SIGKILL')
      const agents = agentProcesses(hostFor(folder))
      for (const record of records) {
        await (await agents.adopt(record, () => undefined)).end('the test is over')
        expect(living(record.marker)).toEqual([])
      }
    }
  })

const endOf = ({ files }: AgentRecord) => JSON.parse(readFileSync(files.end, 'utf8')) as unknown

describe('a run that is killed', () => {
  test('[RUN-2] leaves none of its agents, also those that ignore SIGTERM or moved to another session', () =>
    killedRun(
      'end',
      [
        'sleep 600',
        "trap '' TERM; while true; do sleep 1; done",
        'setsid sleep 600 & sleep 600',
        'while true; do echo working; sleep 0.1; done',
      ],
      async (_folder, records) => {
        for (const record of records) {
          await until('no process is left', () => living(record.marker).length === 0)
          await until('the watcher has ended', () => !isRunning(record.watcher))
          expect(endOf(record)).toMatchObject({
            ending: 'ended by us',
            reason: 'the run that started it is gone',
          })
        }
      },
    ))

  test('[RUN-2] lets its agents finish if it was told so, and another process adopts them', () =>
    killedRun(
      'finish',
      ['until test -e go-on; do sleep 0.05; done; echo finished'],
      async (folder, [record]) => {
        const notes: AgentNote[] = []
        const agent = await agentProcesses(hostFor(folder)).adopt(record!, (note) => notes.push(note))
        expect(isRunning(record!.watcher)).toBe(true)
        writeFileSync(join(folder, 'go-on'), '')
        expect(await agent.ended).toMatchObject({ ending: 'ended', code: 0, lastMessage: 'finished' })
        expect(notes).toContainEqual({ kind: 'message', text: 'finished' })
      },
    ))

  test('[RUN-2] and adopted is ended on request, with its watcher', () =>
    killedRun('finish', ["trap '' TERM; while true; do sleep 1; done"], async (folder, [record]) => {
      const agent = await agentProcesses(hostFor(folder)).adopt(record!, () => undefined)
      expect(await agent.end('stop')).toMatchObject({ ending: 'ended by us' })
      expect(living(record!.marker)).toEqual([])
      expect(isRunning(record!.watcher)).toBe(false)
    }))

  test('[RUN-2] whose watcher was killed too is found by its marker', () =>
    killedRun('finish', ['setsid sleep 600 & sleep 600'], async (folder, [record]) => {
      process.kill(record!.watcher.pid, 'SIGKILL')
      await until('the watcher is gone', () => !isRunning(record!.watcher))
      expect(living(record!.marker).length).toBeGreaterThan(0)
      const agent = await agentProcesses(hostFor(folder)).adopt(record!, () => undefined)
      expect(await agent.ended).toMatchObject({ ending: 'watcher lost' })
      expect(existsSync(record!.files.end)).toBe(false)
      expect(living(record!.marker)).toEqual([])
    }))

  test('[RUN-2] an agent that forges its record and kills its watcher is ended, and its record is not believed', () =>
    killedRun('finish', ['setsid sleep 600 & sleep 600'], async (folder, [record]) => {
      const { watcher, files, marker } = record!
      const forged = {
        ending: 'ended',
        denied: 5,
        lastMessage: {},
        tokens: 'x',
        session: '--yolo',
        code: -1,
      }
      writeFileSync(files.end, JSON.stringify(forged))
      writeFileSync(
        files.notes,
        '{"kind":"tokens","input":"x"}\n{"kind":"action","text":{}}\nnull\n{"kind":[]}\n',
      )
      process.kill(watcher.pid, 'SIGKILL')
      await until('the watcher is gone', () => !isRunning(watcher))
      const notes: AgentNote[] = []
      const agent = await agentProcesses(hostFor(folder)).adopt(record!, (note) => notes.push(note))
      expect(await agent.ended).toEqual({
        ending: 'ended',
        denied: [],
        bytes: 0,
        leftBehind: 0,
        endedAt: 0,
      })
      expect(notes).toEqual([{ kind: 'tokens', input: 0, output: 0 }])
      expect(living(marker)).toEqual([])
      writeFileSync(files.end, '{"ending":"merged"}')
      const other = await agentProcesses(hostFor(folder)).adopt(record!, () => undefined)
      expect(await other.ended).toMatchObject({ ending: 'watcher lost' })
    }))

  test('[RUN-2] a run that lives ends what such an agent left running', () =>
    withTemp(async (folder) => {
      const files = {
        log: `${folder}/a.log`,
        notes: `${folder}/a.notes.jsonl`,
        end: `${folder}/a.end.json`,
      }
      const script = `echo '{"ending":"ended"}' > ${files.end}; echo broken > /proc/$PPID/fd/1; kill -9 $PPID; sleep 600`
      const agent = await agentProcesses(hostFor(folder)).start({
        ...{ kind: 'command', files, onLoss: 'end', onNote: () => undefined },
        launch: { program: '/bin/sh', args: ['-c', script], env: {}, cwd: folder, input: '' },
      })
      if ('problem' in agent) throw new Error(agent.problem)
      agent.go()
      expect(await agent.ended).toMatchObject({ ending: 'ended' })
      expect(living(agent.marker)).toEqual([])
    }))

  test('[RUN-2] the log of an agent is written to no file that another agent linked there, and waits for no pipe', () =>
    withTemp(async (folder) => {
      const runs = join(folder, '.cleo/runs/R001')
      mkdirSync(runs, { recursive: true })
      const victim = join(folder, 'profile')
      const replacements: ((path: string) => void)[] = [
        (path) => symlinkSync(victim, path),
        (path) => linkSync(victim, path),
        (path) => void execFileSync('mkfifo', [path]),
      ]
      for (const [n, replace] of replacements.entries()) {
        writeFileSync(victim, 'mine\n')
        const path = `${runs}/T00${n}.1`
        const files = { log: `${path}.log`, notes: `${path}.notes.jsonl`, end: `${path}.end.json` }
        replace(files.log)
        const agent = await agentProcesses(hostFor(folder)).start({
          ...{ kind: 'command', files, onLoss: 'end', onNote: () => undefined },
          launch: { program: '/bin/echo', args: ['alias ls=evil'], env: {}, cwd: folder, input: '' },
        })
        if ('problem' in agent) throw new Error(agent.problem)
        agent.go()
        expect(await agent.ended).toMatchObject({ ending: 'ended', lastMessage: 'alias ls=evil' })
        expect(readFileSync(victim, 'utf8')).toBe('mine\n')
        rmSync(files.log)
      }
    }))
})
