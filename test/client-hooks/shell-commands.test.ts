import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { judgeCommand } from '../../src/client-hooks/judge-command.ts'
import { cpuTime } from '../support/cpu-time.ts'
import fc, { runs } from '../support/properties.ts'

let folder: string
let log: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cleo-shell-'))
  log = join(folder, 'calls')
  // Each program writes its name and arguments, so that two command lines can be compared by what they run.
  const record = (name: string) =>
    `{ printf '%s\\0' ${name} "$@"; printf '\\n\\0'; } >> '${log}'\nprintf 'out'\n`
  const programs = ['cleo', 'git', 'echo', 'other'].map((name) => [name, record(name)])
  for (const [name, script] of [...programs, ['npx', 'exec "$@"\n']]) {
    writeFileSync(join(folder, name!), `#!/bin/bash\n${script}`)
    chmodSync(join(folder, name!), 0o755)
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs a command line under bash with recording programs. Returns the calls, in order, each as its words. */
const callsOf = (line: string): string[][] => {
  writeFileSync(log, '')
  // Each run has a new folder. In a shared folder, patterns in a line could match files that an earlier run wrote.
  const cwd = mkdtempSync(join(folder, 'run-'))
  spawnSync('/bin/bash', ['-c', line], {
    cwd,
    env: { PATH: `${folder}:/usr/bin:/bin` },
    timeout: 120_000,
    input: '',
  })
  rmSync(cwd, { recursive: true })
  const calls: string[][] = []
  for (const record of readFileSync(log, 'utf8').split('\n\0')) {
    if (record === '') continue
    calls.push(record.split('\0').slice(0, -1))
  }
  return calls
}

const spawn = 'T002.1'
const judge = (line: string) => judgeCommand(line, spawn)
const lineIn = (line: string): string | undefined => {
  const verdict = judge(line)
  if (verdict.kind === 'rewrite') return verdict.command
  return verdict.kind === 'deny' ? verdict.reason.split('\n').slice(1).join('\n') : undefined
}

describe('[PROV-3] a cleo command of a spawn', () => {
  test.each([
    ['cleo focus set T002', 'cleo focus set T002 --as T002.1'],
    ['  cleo list\n', '  cleo list --as T002.1\n'],
    ['cleo show T002 > out.txt 2>&1', 'cleo show T002 --as T002.1 > out.txt 2>&1'],
    ['cleo show > out.txt T002', 'cleo show > out.txt T002 --as T002.1'],
    ['CLEO_FORMAT=json cleo show T002', 'CLEO_FORMAT=json cleo show T002 --as T002.1'],
    ['/usr/local/bin/cleo show T002', '/usr/local/bin/cleo show T002 --as T002.1'],
    ['npx cleo show T002', 'npx cleo show T002 --as T002.1'],
    ['timeout 60 cleo finish T002', 'timeout 60 cleo finish T002 --as T002.1'],
    ['env -u A B=c cleo list', 'env -u A B=c cleo list --as T002.1'],
    ["cleo note T002 'it && them; cleo x'", "cleo note T002 'it && them; cleo x' --as T002.1"],
    ['cleo add -- --title', 'cleo add --as T002.1 -- --title'],
    [
      'cleo verify T002 --gate implemented --evidence "commit:$(git rev-parse HEAD);files:sum.js"',
      'cleo verify T002 --gate implemented --evidence "commit:$(git rev-parse HEAD);files:sum.js" --as T002.1',
    ],
    [
      'cleo manifest append - <<\'EOF\'\n{"cleo": "$(cleo list)"}\nEOF',
      'cleo manifest append - --as T002.1 <<\'EOF\'\n{"cleo": "$(cleo list)"}\nEOF',
    ],
    ['cleo list # all of them', 'cleo list --as T002.1 # all of them'],
    [
      'cleo finish T002 \\\n  --finding "It adds."',
      'cleo finish T002 \\\n  --finding "It adds." --as T002.1',
    ],
  ])('gets its --as: %s', (line, expected) => {
    expect(judge(line)).toMatchObject({ kind: 'rewrite', command: expected })
  })

  test.each([
    ['cleo note T002 "--" hi', 'cleo note T002 --as T002.1 "--" hi'],
    ["cleo note T002 '--'", "cleo note T002 --as T002.1 '--'"],
    ['cleo note T002 \\-- hi', 'cleo note T002 --as T002.1 \\-- hi'],
    ['cleo note T002 -$X -- hi', 'cleo note T002 --as T002.1 -$X -- hi'],
    ['cleo note T002 "-"$X', 'cleo note T002 --as T002.1 "-"$X'],
  ])('keeps its words apart: %s', (line, expected) => {
    expect(lineIn(line)).toBe(expected)
  })

  test.each([
    ['cleo focus set T002', true],
    ["  cleo note T002 'it && them'\n", true],
    ['cleo finish T002 \\\n  --finding "It adds."', true],
    ['cleo note T002 "x$(touch a)"', false],
    ['cleo note T002 "x`touch a`"', false],
    ['cleo list > .profile', false],
    ['cleo list < <(touch a)', false],
    ['PATH=/tmp/a cleo list', false],
    ['/tmp/a/cleo list', false],
    ['./cleo list', false],
    ['sudo cleo list', false],
    ['npx cleo list', false],
    ['env -S "touch a" cleo list', false],
    ['cleo export --out /etc/a', false],
    ['cleo list --project=/a', false],
    ['cleo note T002 "$X"', false],
    ['cleo manifest append - <<E\n$(touch a)\nE', false],
  ])('does nothing but call cleo, or not: %s', (line, plain) => {
    const verdict = judge(line)
    expect(verdict.kind === 'rewrite' && verdict.plain).toBe(plain)
  })

  test.each([
    'cleo focus set T002 --as T002.1',
    'cleo focus set T002 --as=t2.1',
    'cleo show T002 --as T002.1 | head -3',
    'cd sub && cleo finish T002 --as T002.1 --finding "a; b" || echo no',
    'for t in T002 T003; do cleo show "$t" --as T002.1; done',
    'x=$(cleo show T002 --as T002.1 --field title); echo "$x"',
    "bash -c 'cleo list --as T002.1'",
    'CLEO_AGENT_ID=T002.1 cleo list',
    'cleo list --as T002.1 && (cd a; cleo show T002 --as T002.1)',
    'cleo setup claude --check --as T002.1',
    'cleo restore --list --as T002.1',
    'cleo trust status --as T002.1',
    'cleo receive T003 --as T002.1',
    'cleo note T002 --as T002.1 -- --waive',
    'cleo hook claude PreToolUse < event.json',
    'grep -rn cleo src',
    'cat .cleo/spawns/T002.1.md',
    'git log --grep stash',
    'git stash list',
    "echo 'cleo list'",
    'xargs grep cleo',
    'cleo mcp',
    'cleo hook claude Stop',
    // The hook cannot parse these lines. CLEO itself checks who runs them.
    'case x in a) cleo list;; esac',
    'cleo list "',
    'f() { cleo list; }',
    'cleo list\r\n',
  ])('passes as it is: %s', (line) => {
    expect(judge(line)).toEqual({ kind: 'pass' })
  })

  test.each([
    ['cd sub && cleo finish T002', 'cd sub && cleo finish T002 --as T002.1'],
    ['cleo show T002 | head -3', 'cleo show T002 --as T002.1 | head -3'],
    ['cleo list; cleo show T002 --as T002.1', 'cleo list --as T002.1; cleo show T002 --as T002.1'],
    ['echo "$(cleo list)"', 'echo "$(cleo list --as T002.1)"'],
    ['echo `cleo list`', 'echo `cleo list --as T002.1`'],
    ["bash -lc 'cleo list && ls'", "bash -lc 'cleo list --as T002.1 && ls'"],
    ['if cleo exists T9; then echo yes; fi', 'if cleo exists T9 --as T002.1; then echo yes; fi'],
    ['(cleo list)', '(cleo list --as T002.1)'],
    ['cleo show $TASK', 'cleo show $TASK --as T002.1'],
    ['cleo list &', 'cleo list --as T002.1 &'],
    ['cat <<EOF\n$(cleo list)\nEOF', 'cat <<EOF\n$(cleo list --as T002.1)\nEOF'],
  ])('is refused with the line to run: %s', (line, expected) => {
    expect(judge(line)).toMatchObject({ kind: 'deny' })
    expect(lineIn(line)).toBe(expected)
    expect(judge(expected)).toEqual({ kind: 'pass' })
  })

  test.each([
    ['cleo focus set T003 --as T003.1', 'You are T002.1, not T003.1'],
    ['cleo focus set T003 --as=T003.1', 'You are T002.1, not T003.1'],
    ['CLEO_AGENT_ID=T003.1 cleo complete T003', 'You are T002.1, not T003.1'],
    ['cleo complete T002 --as T002.1 && cleo complete T003 --as ada', 'not ada'],
    ['cleo trust --yes --as T002.1', 'for a person'],
    ['cleo untrust', 'for a person'],
    ['cleo admin.trust --yes', 'for a person'],
    ['cleo admin config set mcp.runCommands true', 'cleo config set is for a person'],
    ['cleo verify.waive T002', 'for a person'],
    ['cleo orchestrate.spawn T003', 'only the orchestrator spawns'],
    ['cleo inbox answer Q1 yes', 'for a person'],
    ['cleo db move --to sqlite --as T002.1', 'cleo db move is for a person'],
    ['cleo setup claude --yes', 'cleo setup is for a person'],
    ['cleo install codex', 'cleo setup is for a person'],
    ['cleo clients check claude --turn', 'cleo clients check --turn is for a person'],
    ['cleo --json worktree remove T003.1 --discard', 'cleo worktree remove --discard is for a person'],
    ['cleo receive T003 --attempt=1', 'cleo receive --attempt is for a person'],
    ['cleo init --restore', 'cleo init --restore is for a person'],
    ['cleo --as T002.1 verify T002 --waive', 'cleo verify --waive is for a person'],
    ['cleo verify T002 --gate testsPassed --waive "no time" --as T002.1', 'for a person'],
    ['cd x; cleo restore a.db', 'for a person'],
    ['cleo spawn T003 --ref --as T002.1', 'only the orchestrator spawns'],
    ['cleo orchestrate respawn T003', 'only the orchestrator spawns'],
    ['git stash', 'Commit instead'],
    ['git -C /x stash push -m a', 'Commit instead'],
    ['npm test && git stash pop', 'Commit instead'],
  ])('is refused: %s', (line, reason) => {
    const verdict = judge(line)
    expect(verdict.kind).toBe('deny')
    expect((verdict as { reason: string }).reason).toContain(reason)
  })
})

/** Pieces of command lines, with quoting that is easy to get wrong. */
const piece = fc.constantFrom(
  'cleo',
  'cleo list',
  'cleo show T002',
  'cleo note T002 "a b"',
  "cleo note T002 'x; y'",
  'cleo add --',
  'echo',
  'git log',
  'other x',
  '&&',
  '||',
  ';',
  '|',
  '&',
  '\n',
  '(',
  ')',
  '{',
  '}',
  '$(',
  '`',
  '"',
  "'",
  '\\',
  '\\\n',
  '$X',
  '"$X"',
  '${X:-cleo}',
  '"$(cleo list)"',
  '$(echo hi)',
  '<<EOF',
  '<<-"E F"',
  'EOF',
  'E F',
  '> out',
  '2>&1',
  '< /dev/null',
  '<<< word',
  '<(cleo list)',
  'if true; then',
  'fi',
  'for i in 1 2; do',
  'done',
  '!',
  '#',
  '# note',
  'A=b',
  'A="$(cleo list)"',
  'env',
  'env A=1',
  'timeout 5',
  'command',
  'npx',
  '--',
  '--as T002.1',
  '--finding',
  '*',
  '~',
  '[a]',
  '{a,b}',
  '$((1+2))',
  "$'a\\'b'",
  'é',
  '',
)
const commandLine = fc
  .array(fc.tuple(piece, fc.constantFrom(' ', ' ', ' ', '', '\t')), { minLength: 1, maxLength: 9 })
  .map((parts) => parts.map(([text, gap]) => text + gap).join(''))

const withAs = (call: readonly string[]): string[] => {
  const dashes = call.indexOf('--')
  const at = dashes < 0 ? call.length : dashes
  return [...call.slice(0, at), '--as', spawn, ...call.slice(at)]
}

describe('[PROV-3] a rewritten command line', () => {
  test('runs the same programs with the same arguments, and --as in the cleo calls that lacked it', () => {
    let rewritten = 0
    fc.assert(
      fc.property(commandLine, (line) => {
        const verdict = judge(line)
        const next = lineIn(line)
        if (verdict.kind === 'pass' || !next || next.startsWith('git add')) return
        const before = callsOf(line)
        const after = callsOf(next)
        if (verdict.kind === 'rewrite') {
          rewritten++
          expect(after).toEqual(before.map((call) => (call[0] === 'cleo' ? withAs(call) : call)))
          return
        }
        // Programs in the background can still run when the shell ends, so their calls are not compared. Programs
        // of a pipe write in any order, so the order of calls is not compared.
        if (/[<>]\(|(?<!&)&(?!&|1)/.test(line)) return
        expect(after).toHaveLength(before.length)
        const expected = new Set(
          before.flatMap((call) => [call, withAs(call)].map((each) => JSON.stringify(each))),
        )
        for (const call of after) expect(expected).toContain(JSON.stringify(call))
      }),
      { numRuns: runs(6000) },
    )
    expect(rewritten).toBeGreaterThan(20)
  })

  test('is parsed in time proportional to its length, whatever it is', () => {
    for (const part of [
      'cleo $(',
      'cleo "',
      'cleo `',
      'cleo <<A\n',
      '${cleo',
      'cleo; ',
      "cleo '",
      'cleo (',
      '\\\n cleo',
      '"$(cleo ',
    ]) {
      const ms = cpuTime(() => judge(part.repeat(200_000 / part.length)))
      expect(ms).toBeLessThan(3000)
    }
  })
})
