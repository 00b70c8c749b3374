import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { executable, type Ran, run } from '../support/cleo.ts'
import { withTemp } from '../support/temp.ts'

interface Envelope {
  data?: Record<string, unknown>
  error?: { code: string; exit: number; fix?: string }
}
const answer = ({ stdout }: Ran): Envelope => JSON.parse(stdout) as Envelope

const more = {
  complete: `"key_findings":["One.","Two.","Three."]`,
  partial: `"key_findings":["One."],"needs_followup":["error-recovery-patterns"]`,
  blocked: `"key_findings":["Nobody says which region."]`,
}

/**
 * What docs/guide/coming-from-the-old-protocol.md calls the old protocol, as a shell script. `$1` is the status.
 */
const script = `
set -u
cleo show T002 > /dev/null
cleo focus set T002 $AS > /dev/null || exit 1
cat > claudedocs/agent-outputs/T002-example.md << EOF
# Example

**Task**: T002
**Date**: 2026-01-26
**Status**: $1

## Summary

One is fast.

## Content

All of it.

## References

- RFC 9106
EOF
echo "{\\"id\\":\\"T002-example\\",\\"file\\":\\"T002-example.md\\",\\"title\\":\\"Example\\",\\"date\\":\\"2026-01-26\\",\\"status\\":\\"$1\\",\\"agent_type\\":\\"research\\",$MORE,\\"linked_tasks\\":[\\"T001\\",\\"T002\\"]}" >> claudedocs/agent-outputs/MANIFEST.jsonl
cleo complete T002 $AS
echo "exit $?" >&2
cleo research link T002 T002-example $AS > /dev/null
`

/** Runs the script with or without a spawn, and calls `check` with the answer of `complete`. */
const play = (
  { status, spawned }: { status: keyof typeof more; spawned: boolean },
  check: (completed: Envelope, cleo: (...args: string[]) => Envelope) => void,
): Promise<void> =>
  withTemp(async (folder) => {
    const cleo = (...args: string[]) => answer(run(executable, args, { cwd: folder }))
    cleo('init')
    cleo('add', 'Accounts', '--type', 'epic', '--description', 'People sign up.')
    cleo('add', 'Compare hashing', '--parent', 'T001', '--labels', 'research', '--description', 'Which?')
    cleo('add', 'Sign-up form', '--parent', 'T001', '--depends', 'T002', '--description', 'Build it.')
    mkdirSync(join(folder, 'claudedocs/agent-outputs'), { recursive: true })
    if (spawned) cleo('spawn', 'T002', '--ref')
    const stdout = execFileSync(
      'sh',
      ['-c', `cleo() { "${executable.command[0]}" "$@"; }\n${script}`, 'agent', status],
      {
        cwd: folder,
        env: {
          PATH: process.env['PATH'],
          HOME: join(folder, '.home'),
          USER: 'ada',
          CLEO_FORMAT: 'json',
          AS: spawned ? '--as T002.1' : '',
          MORE: more[status],
        },
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    check(JSON.parse(stdout) as Envelope, cleo)
  })

const receive = ['receive', 'T002', '--message', 'All done! Anything else?'] as const

test('[GATE-1] complete, without a spawn: done, linked, and its dependent is ready', () =>
  play({ status: 'complete', spawned: false }, (completed, cleo) => {
    expect(completed.data).toMatchObject({ status: 'done', unblocked: ['T003'] })
    expect(cleo('show', 'T002').data).toMatchObject({
      outcome: 'complete',
      entries: [{ id: 'T002-example' }],
    })
    expect(cleo('manifest', 'list').data).toMatchObject({ entries: [{ id: 'T002-example' }] })
    expect(cleo('output', 'check', 'T002').data).toMatchObject({ checked: 1 })
  }))

test('[GATE-1] partial, without a spawn: done in part', () =>
  play({ status: 'partial', spawned: false }, (completed, cleo) => {
    expect(completed.data).toMatchObject({ status: 'done', outcome: 'partial' })
    expect(cleo('show', 'T002').data).toMatchObject({ outcome: 'partial' })
  }))

test('[GATE-1] blocked, without a spawn: refused with 6, and the fix blocks the task', () =>
  play({ status: 'blocked', spawned: false }, (completed, cleo) => {
    const { error } = completed
    expect(error).toMatchObject({ code: 'entry.blocked', exit: 6 })
    expect(error?.fix).toBe('cleo block T002 --reason "Nobody says which region."')
    cleo('block', 'T002', '--reason', 'Nobody says which region.')
    expect(cleo('show', 'T002').data).toMatchObject({ status: 'blocked' })
  }))

test('[ORCH-5] complete, with a spawn: chatter around finished work is a warning', () =>
  play({ status: 'complete', spawned: true }, (completed, cleo) => {
    expect(completed.data, JSON.stringify(completed)).toMatchObject({ status: 'done' })
    expect(cleo(...receive).data).toMatchObject({ outcome: 'complete', unblocked: ['T003'], next: 'T003' })
  }))

test('[ORCH-5] partial, with a spawn: the open point becomes a task that the dependent waits for', () =>
  play({ status: 'partial', spawned: true }, (completed, cleo) => {
    expect(completed.data).toMatchObject({ status: 'done', outcome: 'partial' })
    expect(cleo(...receive).data).toMatchObject({ outcome: 'partial', followUps: ['T004'], unblocked: [] })
    expect(cleo('show', 'T003').data).toMatchObject({ depends: ['T002', 'T004'] })
    expect(cleo('show', 'T001').data).toMatchObject({ status: 'pending' })
  }))

test('[ORCH-5] blocked, with a spawn: complete refuses, and receive blocks the task with its finding', () =>
  play({ status: 'blocked', spawned: true }, (completed, cleo) => {
    expect(completed.error).toMatchObject({ code: 'entry.blocked', exit: 6 })
    expect(cleo(...receive).data).toMatchObject({ outcome: 'blocked' })
    expect(cleo('show', 'T002').data).toMatchObject({
      status: 'blocked',
      reason: 'unspecified: Nobody says which region.',
    })
  }))
