import { describe, expect, test } from 'vitest'
import { contracts, type Protocol, protocols } from '../../src/kernel/protocol.ts'
import { stages } from '../../src/kernel/task.ts'
import { namesIn, read, tokens } from './files.ts'

const rules: Readonly<Record<'base' | Protocol, { prefix: string; count: number; advice?: string }>> = {
  base: { prefix: 'BASE', count: 7, advice: 'BASE-007' },
  research: { prefix: 'RSCH', count: 7 },
  consensus: { prefix: 'CONS', count: 7 },
  specification: { prefix: 'SPEC', count: 7 },
  decomposition: { prefix: 'DCMP', count: 9, advice: 'DCMP-007' },
  implementation: { prefix: 'IMPL', count: 7 },
  contribution: { prefix: 'CONT', count: 7 },
  release: { prefix: 'RLSE', count: 7 },
}
const names = Object.keys(rules) as (keyof typeof rules)[]
const textOf = (name: string) => read(`protocols/${name}.md`)
const base = textOf('base')

describe('protocols', () => {
  test('[PROT-1] one base and seven conditional ones', () => {
    expect(namesIn('protocols')).toEqual(names.map((name) => `${name}.md`).sort())
    expect(names).toEqual(['base', ...protocols])
  })

  test.each(names)('[PROT-1] every rule of %s appears once, with a word of RFC 2119', (name) => {
    const { prefix, count, advice } = rules[name]
    const ids = Array.from({ length: count }, (_, i) => `${prefix}-00${i + 1}`)
    const text = textOf(name)
    expect(text.match(/\b[A-Z]{3,4}-\d{3}\b/g)).toEqual(ids)
    for (const id of ids) {
      const rule = new RegExp(`^- ${id}: (.*(?:\\n  .*)*)`, 'm').exec(text)![1]
      expect(rule).toMatch(id === advice ? /\bSHOULD\b/ : /\bMUST\b/)
    }
  })

  test.each(protocols)('[PROT-1] %s says its agent type', (name) => {
    expect(textOf(name)).toContain(`\`agent_type\` MUST be \`${contracts[name].agentType}\``)
  })

  test.each(names)('%s is short, and its headings fit below those of a prompt', (name) => {
    expect(textOf(name).trimEnd().split('\n').length).toBeLessThanOrEqual(60)
    expect(textOf(name)).toMatch(/^### /)
    expect(textOf(name)).not.toMatch(/^##? /m)
  })

  test.each(protocols)('[PROT-1] base and %s together take at most 1,200 tokens', (name) => {
    expect(tokens(`${base}\n${textOf(name)}`)).toBeLessThanOrEqual(1200)
  })
})

describe('the base protocol', () => {
  test.each([
    ['phases', 'SPAWN → INJECT → EXECUTE → OUTPUT → RETURN'],
    ['order', 'focus, work, output file, `cleo finish` (entry, evidence, complete, link), return.'],
    ['checklist', 'Before you return'],
    ['partial', '- partial: '],
    ['blocked', '- blocked: '],
    ['first blocker', 'missing context: ask the orchestrator'],
    ['second blocker', 'Permission denied: escalate'],
    ['third blocker', 'Resource unavailable: retry with backoff'],
    ['fourth blocker', 'Ambiguous requirements: clarify first'],
    ['retryable exits', 'Exit 7, 20, 21 or 22: wait 2, 4, 8 seconds'],
    ['missing section', 'say so with `--warning`'],
  ])('[PROT-1] has its %s', (_, words) => {
    expect(base.replace(/\s+/g, ' ')).toContain(words)
  })

  test.each([
    'by `@`',
    'ask for help',
    'the task or a protocol again',
    'invent paths',
    'return content',
    'pretty-print',
  ])('[PROT-1] forbids: %s', (words) => {
    const never = base.slice(base.indexOf('#### Never')).replace(/\s+/g, ' ')
    expect(never).toContain(words)
  })

  test('[TASK-5] forbids estimates and says what the sizes mean', () => {
    expect(base).toContain('You MUST NOT estimate time')
    expect(base.replace(/\s+/g, ' ')).toContain(
      'small (one function, clear path), medium (several components, some unknowns), large (cross-cutting, significant unknowns)',
    )
  })
})

describe('guidance', () => {
  test('[PROT-2] there is one for each of the ten stages', () => {
    expect(namesIn('stages')).toEqual(
      stages()
        .map((stage) => `${stage}.md`)
        .sort(),
    )
    expect(stages()).toHaveLength(10)
  })

  test.each(stages())(
    '[PROT-2] %s says in a few lines what it produces, when it is done and what goes wrong',
    (stage) => {
      const text = read(`stages/${stage}.md`)
      const words = text
        .trimEnd()
        .split('\n')
        .map((line) => /^(\w+[\w ]*): \S/.exec(line)?.[1])
      expect(words[0]).toBe(stage === 'contribution' ? 'Cuts across' : 'Needs')
      expect(words.slice(1)).toEqual(
        stage === 'testing' ? ['Produces', 'Done when', 'Limit', 'Trap'] : ['Produces', 'Done when', 'Trap'],
      )
      expect(tokens(text)).toBeLessThanOrEqual(90)
    },
  )

  test('[PROT-2] validation is for another agent than the author, and testing goes back five times at most', () => {
    expect(read('stages/validation.md')).toContain('by another agent than you')
    expect(read('stages/testing.md')).toContain('at most 5 times, then a person')
  })

  test('the anti-patterns of tier 2 are short', () => {
    expect(tokens(read('anti-patterns.md'))).toBeLessThanOrEqual(350)
  })
})
