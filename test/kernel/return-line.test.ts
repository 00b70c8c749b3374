import { describe, expect, test } from 'vitest'
import { contracts, protocols, stageWork } from '../../src/kernel/protocol.ts'
import { readReply, returnLines, returnWords } from '../../src/kernel/return-line.ts'
import { stages } from '../../src/kernel/task.ts'
import { cpuTime } from '../support/cpu-time.ts'
import fc from '../support/properties.ts'

const statuses = ['complete', 'partial', 'blocked'] as const
const lines = returnLines('Research')
const read = (message: string) => readReply(message, ['Research'])

test('[ORCH-5] each of the three lines is read for what it says', () => {
  expect(lines).toEqual([
    'Research complete. See MANIFEST.jsonl for summary.',
    'Research partial. See MANIFEST.jsonl for details.',
    'Research blocked. See MANIFEST.jsonl for blocker details.',
  ])
  expect(lines.map(read)).toEqual(statuses.map((said) => ({ said, alone: true })))
})

test('[ORCH-5] every word of the list belongs to a protocol or a stage', () => {
  const pairs = protocols.flatMap((protocol) => stages().map((stage) => returnWords(protocol, stage)))
  expect([...new Set(pairs.flat())].sort()).toEqual([
    'Analysis',
    'Consensus',
    'Contribution',
    'Decomposition',
    'Design',
    'Implementation',
    'Release',
    'Research',
    'Specification',
    'Testing',
    'Validation',
  ])
})

test('[ORCH-5] the word of the protocol counts, and that of the stage; the one a prompt names comes first', () => {
  for (const protocol of protocols)
    for (const stage of stages()) {
      const words = returnWords(protocol, stage)
      const { word, protocol: usual } = stageWork[stage]
      expect(words).toContain(contracts[protocol].word)
      expect(words).toContain(word ?? contracts[usual].word)
      expect(words[0]).toBe((usual === protocol && word) || contracts[protocol].word)
    }
  expect(returnWords('implementation', 'testing')).toEqual(['Testing', 'Implementation'])
  expect(returnWords('research', 'testing')).toEqual(['Research', 'Testing'])
})

const line = lines[0]!
const handBack =
  '[Subagent hand-back] The text below is the final report of a subagent this session delegated to. It is model output, NOT a message from the user. The report follows:'
const agent =
  "agentId: a057106b77f38c1b5 (use SendMessage with to: 'a057106b77f38c1b5', summary: '<5-10 word recap>' to continue this agent)"
const usage = '<usage>subagent_tokens: 4347\ntool_uses: 12\nduration_ms: 3049</usage>'

/** What known clients put around a reply, as in their recorded output. */
const frames: Record<string, (reply: string) => string> = {
  'a line break': (reply) => `${reply}\r\n`,
  'blank lines': (reply) => `\n\n  ${reply}\n\n`,
  'Claude, Agent tool': (reply) =>
    `  <tools-used-before-summary>Read, Write</tools-used-before-summary>\n  \n${handBack}\n  ${reply}\n${agent}\n${usage}`,
  'Claude, background agent': (reply) =>
    `<task-notification>\n<task-id>a7d1</task-id>\n<tool-use-id>toolu_1</tool-use-id>\n<output-file>/tmp/a7d1.output</output-file>\n<status>completed</status>\n<summary>Agent "do T1" finished</summary>\n<note>A task-notification fires each time this agent stops.</note>\n<result>${reply}</result>\n<usage><subagent_tokens>610</subagent_tokens><tool_uses>1</tool_uses></usage>\n</task-notification>`,
  opencode: (reply) =>
    `<task id="ses_e1f4" state="completed">\n<task_result>\n${reply}\n</task_result>\n</task>`,
  'Codex, waiting for an agent': (reply) =>
    JSON.stringify({ status: { '01a1e0bc-3f0d-7891': { completed: reply } }, timed_out: false }),
  'Codex, told that an agent has ended': (reply) =>
    `<subagent_notification>\n${JSON.stringify({ agent_id: '01a1e0bc', status: { completed: reply } })}\n</subagent_notification>`,
  Gemini: (reply) => `Subagent 'cleo-subagent' finished.\nTermination Reason: GOAL\nResult:\n${reply}`,
  'a code fence': (reply) => `\`\`\`text\n${reply}\n\`\`\``,
  'inline code': (reply) => `\`${reply}\``,
  quotes: (reply) => `"${reply}"`,
  'typographic quotes': (reply) => `“${reply}”`,
  'a list': (reply) => `- ${reply}`,
  'a numbered list': (reply) => `1. ${reply}`,
  'a quotation': (reply) => `> ${reply}`,
  bold: (reply) => `**${reply}**`,
  'two spaces': (reply) => reply.replace(' ', '  '),
  twice: (reply) => `${reply}\n${reply}`,
}

describe.each(Object.entries(frames))('in the frame of %s', (_, frame) => {
  test('[ORCH-5] the line is read as if it stood alone', () => {
    for (const [i, each] of lines.entries())
      expect(read(frame(each))).toEqual({ said: statuses[i], alone: true })
  })

  test('[SKILL-10] a need-line is read as if it stood alone', () => {
    expect(read(frame('need skill: ct-release'))).toEqual({
      need: { skill: 'ct-release', level: 'L1' },
      alone: true,
    })
    expect(read(frame('need level: ct-release L2')).need).toEqual({ skill: 'ct-release', level: 'L2' })
  })

  test('[ORCH-5] chatter beside the line is noticed', () => {
    expect(read(`I compared three.\n${frame(line)}`)).toEqual({ said: 'complete', alone: false })
    expect(read(frame(`${line} Anything else?`))).toEqual({ said: 'complete', alone: false })
  })
})

describe('what is not the line', () => {
  test.each([
    ['another language', 'Recherche abgeschlossen. Siehe MANIFEST.jsonl.'],
    ['another script', 'Исследование завершено. См. MANIFEST.jsonl.'],
    ['nothing', ''],
    ['a line break', '\n'],
    ['another case', 'research complete. See MANIFEST.jsonl for summary.'],
    ['a look-alike letter', 'Resеarch complete. See MANIFEST.jsonl for summary.'],
    ['a look-alike full stop', 'Research complete． See MANIFEST.jsonl for summary.'],
    ['the word of another protocol', 'Implementation complete. See MANIFEST.jsonl for summary.'],
    ['a longer word', 'MyResearch complete. See MANIFEST.jsonl for summary.'],
    ['the ending of another status', 'Research complete. See MANIFEST.jsonl for details.'],
    ['no full stop', 'Research complete. See MANIFEST.jsonl for summary'],
    ['all three lines', lines.join('\n')],
    ['the need-line of the prompt', 'need skill: <name>'],
    ['a need without a name', 'need skill: '],
    ['a need with two names', 'need skill: a b'],
    ['a level that there is not', 'need level: x L9'],
    ['a need inside a sentence', 'I do not need skill: x'],
  ])('[ORCH-5] %s', (_, message) => {
    expect(read(message)).toEqual({ alone: false })
  })

  test('[ORCH-5] an invisible character makes it more than the line', () => {
    for (const mark of ['\u200b', '\0'])
      expect(read(`${line}${mark}`)).toEqual({ said: 'complete', alone: false })
  })

  /** An allowed line with one change. */
  const damaged = fc
    .record({
      line: fc.constantFrom(...lines),
      at: fc.nat(80),
      cut: fc.nat(3),
      put: fc.oneof(
        fc.string({ unit: 'binary', maxLength: 3 }),
        fc.constantFrom(' ', '\n', '\t', '\u00a0', '\u200b', '\u202e', '．', 'е', '\u0301', '`', '"', ''),
      ),
    })
    .map(({ line, at, cut, put }) => line.slice(0, at) + put + line.slice(at + cut))

  test('[ORCH-5] over 10,000 messages, only the letters of a line count as the line', () => {
    const letters = (text: string) => text.replaceAll(/[\s>*_#`~"“”‘’'«»•-]/g, '')
    const exact = new Set(lines.map(letters))
    fc.assert(
      fc.property(fc.oneof({ weight: 8, arbitrary: damaged }, fc.string({ unit: 'binary' })), (message) => {
        const { said, alone } = read(message)
        return !(said && alone) || exact.has(letters(message))
      }),
      { numRuns: 10_000 },
    )
  })
})

test('[ORCH-5] reading takes time proportional to the length, whatever the message', () => {
  const time = (message: string) => cpuTime(() => read(message))
  for (const part of [
    '<',
    '<a ',
    '<usage>',
    '`',
    '"',
    ' ',
    '\n',
    line.slice(0, 30),
    `<a ${'b'.repeat(190)}`,
  ]) {
    const short = Math.max(5, ...[1, 2, 3].map(() => time(part.repeat(100_000 / part.length))))
    const long = Math.min(...[1, 2, 3].map(() => time(part.repeat(1_000_000 / part.length))))
    expect(long, JSON.stringify(part)).toBeLessThan(short * 60)
  }
})
