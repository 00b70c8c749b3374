import { fail } from '../src/kernel/result.ts'
import { type Code, catalogue, type FactsOf } from '../src/refusals/refusal-catalogue.ts'
import type { Found } from './operations.ts'
import { cell } from './reference.ts'
import { clients } from './samples/clients.ts'
import { compliance } from './samples/compliance.ts'
import { doctor } from './samples/doctor.ts'
import { evidence } from './samples/evidence.ts'
import { manifest } from './samples/manifest.ts'
import { returns } from './samples/returns.ts'
import { runs } from './samples/runs.ts'
import { served } from './samples/server.ts'
import { stages } from './samples/stages.ts'
import { store } from './samples/store.ts'
import { worktreeSetup } from './samples/worktree-setup.ts'
import { worktrees } from './samples/worktrees.ts'

const database = '.cleo/cleo.db'
const server = 'postgres://cleo@db.example/team'
const expires = '2026-01-01T12:15:00.000Z'
const quietAt = '2026-01-01T13:15:00.000Z'
const title = [{ path: 'title', message: 'is empty' }]

export type Samples = { [C in Code]?: FactsOf<C> }

/** Sample facts for the sentence of each code. The page shows no sentence for a code without a sample. */
export const samples: Samples = {
  unexpected: { reason: 'x is not a function' },
  'usage.command': { given: 'complet', near: 'complete' },
  'usage.invalid': {
    command: 'add',
    problems: [{ path: '--parnt', message: 'Unknown flag --parnt. Did you mean --parent?' }],
  },
  'estimate.refused': { tasks: 4, files: 6, fix: 'cleo add Invoices --size medium' },
  'input.invalid': { problems: title },
  'file.unreadable': { path: '.cleo/config.json', reason: 'permission denied' },
  'file.unwritable': { path: '.cleo', reason: 'the file system is read-only' },
  'file.exists': { path: 'tasks.jsonl' },
  'project.missing': { from: 'shop' },
  'project.bare': { at: 'shop.git' },
  'config.invalid': {
    path: '.cleo/config.json',
    problems: [{ path: 'claim', message: '"claim" is not a known field; did you mean "claims"?' }],
  },
  'path.outside': { setting: 'manifest.path', path: '../notes.jsonl', why: 'is not inside /home/me/shop' },
  'database.untrusted': { address: server },
  'store.missing': { path: database },
  'store.foreign': { path: database },
  'store.corrupt': { path: database, reason: 'it is cut short' },
  'store.newer': { path: database, found: 2, known: 1 },
  'store.unsafe': { version: '3.51.2' },
  'store.readonly': { path: database, reason: 'attempt to write a readonly database' },
  'store.full': { path: '/home/me/shop/.cleo/cleo.db' },
  'store.busy': { path: database, seconds: 15 },
  'store.denied': { where: server, reason: 'there is no such database' },
  'store.unreachable': { where: server, reason: 'connect ECONNREFUSED' },
  'store.unsure': { where: server },
  'store.outdated': { where: server, found: '12', oldest: '13' },
  'store.empty': { where: server, project: '4f0k2m9x1c7d' },
  'store.moved': { where: database },
  'store.server': { where: server, verb: 'backup' },
  'project.unnamed': { where: server },
  'move.unequal': { where: server, reason: 'the copy has sha256 4f0c…' },
  'move.same': { where: database },
  'move.occupied': { where: server },
  'backup.invalid': { path: 'old.db', reason: 'it is not a CLEO database' },
  'spawn.not_found': { id: 'T012.1' },
  'spawn.none': { task: 'T012' },
  'spawn.single': { task: 'T012' },
  'spawn.superseded': { id: 'T012.1', by: 'T012.2' },
  'task.changed': { id: 'T012' },
  'spawn.closed': { id: 'T012', status: 'done' },
  'spawn.parts': { id: 'T001', open: ['T002', 'T003'] },
  'spawn.undescribed': { id: 'T012' },
  'spawn.untraced': { id: 'T012', root: 'T012', epics: ['T001'] },
  'spawn.files': { id: 'T012', count: 5, most: 3 },
  'spawn.folder': { path: 'notes.txt', why: 'it is not a folder' },
  'tokens.unresolved': {
    count: 1,
    first: { token: '{{STAGE}}', where: 'deploy/SKILL.md', why: 'this name has no value' },
    problems: [{ path: 'deploy/SKILL.md', message: '{{STAGE}}: this name has no value' }],
  },
  'budget.exceeded': {
    tokens: 80000,
    limit: 70000,
    problems: [{ path: 'task context', message: '78,000 tokens' }],
  },
  'skill.twice': {
    name: 'ct-release',
    agent: '.claude/agents/cleo-subagent.md',
    command: 'cleo spawn T012',
    others: ['ct-test-runner'],
  },
  'skill.whole': { name: 'ct-release' },
  'return.invalid': { message: 'Here is what I found', task: 'T012' },
  'task.not_found': { id: 'T099' },
  'parent.not_found': { id: 'T099' },
  'dependency.not_found': { ids: ['T098', 'T099'] },
  'dependency.open': { id: 'T012', on: ['T009'] },
  'parent.invalid': { parent: 'T012', why: 'it is a subtask, and a subtask cannot have children' },
  'parent.closed': { parent: 'T001', status: 'done' },
  'depth.exceeded': { parent: 'T012', depth: 4 },
  cycle: { path: ['T002', 'T004', 'T002'], contains: false, inspect: 'T002' },
  'children.open': { id: 'T001', open: ['T003', 'T004'] },
  'task.status': { id: 'T012', status: 'blocked', verb: 'complete' },
  'task.status_verb': { id: 'T012', from: 'active', to: 'done' },
  'undo.nothing': { actor: 'bo', last: { actor: 'ada', operation: 'tasks.add', task: 'T012' } },
  'undo.never': { actor: 'ada', operation: 'focus.set', tasks: ['T012'] },
  'undo.undone': { actor: 'ada', tasks: ['T012'] },
  'undo.later': {
    operation: 'tasks.add',
    tasks: ['T012'],
    problems: [{ path: 'T012', message: 'T013 is now below T012.' }],
  },
  'outline.invalid': {
    problems: [{ path: 'line 4', message: '"after: cart" matches no key and no title in the outline' }],
  },
  'several.refused': {
    ids: ['T012', 'T013'],
    count: 3,
    problems: [
      { path: 'T012', message: 'T012 waits on T009.', fix: 'cleo show T009' },
      { path: 'T013', message: 'There is no task T013.', fix: 'cleo list' },
    ],
  },
  'list.unsorted': { sort: 'title', most: 10_000 },
  'edit.conflict': { id: 'T012', fields: ['title'], by: 'bo' },
  'edit.kept': {
    why: 'The text has 1 problem.',
    path: '.cleo/edits/T012.md',
    fix: 'cleo edit T012 --draft .cleo/edits/T012.md',
    problems: title,
  },
  'editor.missing': { fix: 'cleo update --help' },
  'editor.failed': { editor: 'vi', why: 'ended with exit 1', fix: 'cleo update --help' },
  'task.foreign': { id: 'T013', actor: 'T012.1', own: 'T012', verb: 'cancel' },
  'task.contract': { id: 'T012', actor: 'T012.1', fields: ['acceptance'] },
  'epic.expected': { id: 'T012', type: 'task', epic: 'T001' },
  'session.not_found': { id: 'ses_4f0k2m9x1c7d' },
  'session.ended': { id: 'ses_4f0k2m9x1c7d' },
  'session.unnamed': {},
  'session.several': {
    actor: 'ada',
    sessions: [
      { id: 'ses_4f0k2m9x1c7d', scope: 'T001', name: 'accounts' },
      { id: 'ses_8b1n5p3z0q6w', scope: 'global', name: 'e-mail' },
    ],
    command: 'cleo session end',
  },
  'scope.invalid': { id: 'T012', why: 'it is a task, not an epic' },
  'scope.outside': { id: 'T042', session: 'ses_4f0k2m9x1c7d', epic: 'T001' },
  'claim.held': { id: 'T012', owner: 'T012.1', expires },
  'claim.lost': { id: 'T012', actor: 'T012.1', owner: 'T012.2' },
  'spawn.out': { id: 'T012.1', task: 'T012', by: 'claude', at: expires, quietAt },
  'focus.missing': { actor: 'T012.1' },
  'actor.subagent': { actor: 'T012.1', verb: 'spawn tasks' },
  'file.link': { path: '/home/me/shop/.cleo/spawns' },
  'store.cloned': { path: '.cleo/cleo.db', why: 'git tracks .cleo/cleo.db' },
  'trust.changed': {},
  'question.unanswerable': {
    id: 'Q1',
    why: 'commands.test has changed since the agent asked',
    fix: 'cleo trust',
  },
  'orchestrator.needed': { operation: 'orchestrate.receive', actor: 'T012.1' },
  'person.needed': { operation: 'admin.trust', actor: 'T012.1' },
  'import.invalid': { problems: [{ path: 'line 2, title', message: 'is empty' }] },
  'skill.not_found': { name: 'ct-validater', near: 'ct-validator' },
  'skill.missing': { name: 'deploy' },
  'agent.unknown': { name: 'cleo-subagnet', near: 'cleo-subagent' },
  'content.invalid': {
    errors: 1,
    warnings: 0,
    problems: [
      { path: 'skills/deploy/SKILL.md:1', message: 'has no front matter, so the skill cannot be loaded' },
    ],
  },
  ...manifest,
  ...evidence,
  ...returns,
  ...served,
  ...stages,
  ...worktreeSetup,
  ...doctor,
  ...clients,
  ...compliance,
  ...store,
  ...runs,
  ...worktrees,
}

export const errorPage = (found: readonly Found[]): string => {
  const codes = (Object.keys(catalogue()) as Code[]).toSorted(
    (a, b) => catalogue()[a].exit - catalogue()[b].exit,
  )
  const operations = found.map(({ operation }) => operation)
  return [
    '<!-- Made by `npm run generate`. Do not edit. -->',
    '# Exit codes and refusals',
    '',
    'A command that succeeds exits with 0, even if the list it prints is empty. Any other exit status is a refusal from this',
    'table. Repeat a command only if its refusal is marked *again*: wait 2, then 4, then 8 seconds. In JSON, `error.retryable` says the same.',
    '',
    '| exit | code | | message | fix |',
    '|---|---|---|---|---|',
    ...codes.map((code) => {
      const { exit, message, fix, retryable } = sampleOf(code)
      return `| ${exit} | \`${code}\` | ${retryable ? '*again*' : ''} | ${cell(message)} | ${fix ? `\`${cell(fix)}\`` : ''} |`
    }),
    '',
    '## Codes by command',
    '',
    'The [reference](README.md) lists the codes that any operation can return; these belong to single commands.',
    '',
    '| code | commands |',
    '|---|---|',
    ...codes.flatMap((code) => {
      const own = operations.filter(({ errors }) => errors.includes(code)).map(({ cli }) => cli.command)
      return own.length > 0 ? [`| \`${code}\` | ${own.join(', ')} |`] : []
    }),
    '',
  ].join('\n')
}

const sampleOf = (code: Code) => {
  const facts = samples[code]
  if (facts) return fail(code, facts as never)
  const { exit, retryable = false } = catalogue()[code] as { exit: number; retryable?: boolean }
  return { exit, retryable, message: '', fix: undefined }
}
