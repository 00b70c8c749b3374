import { joined } from '../../markdown/front-matter.ts'
import { type Closing, closeAll } from './cut.ts'
import type { Strategy } from './strategy.ts'

/** A skill and what stands beside it, its tokens resolved and its headings below those of the prompt. */
export interface SkillText {
  /** Without its `---` lines. */
  frontMatter: string
  body: string
  references: readonly { path: string; text: string }[]
}

/** What a strategy takes of a skill; of the references, at most the first few where there is no room for all. */
export const strategyText = (
  { frontMatter, body, references }: SkillText,
  strategy: Strategy,
  closing?: Closing,
  most = references.length,
): string => {
  const kept = strategy === 'minimal' ? closeAll(body.slice(0, minimalEnd(body)), closing) : body
  const skill = frontMatter === '' ? kept : joined({ frontMatter, body: kept })
  const files = strategy === 'comprehensive' ? inOrder(references).slice(0, most) : []
  return [skill.trimEnd(), ...files.map(({ path, text }) => `#### ${path}\n\n${text.trimEnd()}`)].join('\n\n')
}

export const minimalLines = 50

/** Where the lines end that are part of even the least. */
export const minimalEnd = (body: string): number => {
  let end = -1
  for (let line = 0; line < minimalLines; line++) {
    end = body.indexOf('\n', end + 1)
    if (end < 0) return body.length
  }
  return end
}

export const inOrder = <R extends { path: string }>(references: readonly R[]): R[] =>
  references.toSorted((a, b) => (a.path < b.path ? -1 : 1))
