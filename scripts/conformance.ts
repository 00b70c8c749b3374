import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chapters, type Rule } from '../conformance/rules.ts'

/** A test or transcript that names the rule it proves. */
export interface Proof {
  rule: string
  title: string
  file: string
}

const root = join(import.meta.dirname, '..')

export const allProofs = (): Proof[] =>
  readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') || name.endsWith('.txt'))
    .sort()
    .flatMap((name) => proofsIn(`test/${name}`, readFileSync(join(root, 'test', name), 'utf8')))

const chapterNames = Object.keys(chapters).join('|')
const naming = new RegExp(String.raw`\[((?:${chapterNames})-\d+)\]`, 'g')

/** Tests name rules in quoted titles, and transcripts name them in headings. */
export const proofsIn = (file: string, text: string): Proof[] =>
  text.split('\n').flatMap((line) => {
    const title = file.endsWith('.ts') ? quotedTitle(line) : /^# (.*)/.exec(line)?.[1]
    const named = new Set([...(title?.matchAll(naming) ?? [])].map(([, rule]) => rule!))
    const words = title?.replace(naming, '').trim() ?? ''
    return [...named].map((rule) => ({ rule, title: words, file }))
  })

/**
 * Returns the quoted text around the first rule that a line names. Ignores comments, because a rule in a comment is not
 * a test.
 */
const quotedTitle = (line: string): string | undefined => {
  const at = line.search(naming)
  if (at < 0 || /^\s*(\/\/|\*|\/\*)/.test(line)) return undefined
  const start = Math.max(...['"', "'", '`'].map((quote) => line.lastIndexOf(quote, at)))
  if (start < 0) return undefined
  const end = line.indexOf(line[start]!, at)
  return line.slice(start + 1, end < 0 ? undefined : end)
}

/**
 * Returns the differences between rules and tests: a built rule that no test names, or a test that names an unknown
 * rule.
 */
export const gaps = (rules: readonly Rule[], proofs: readonly Proof[]): string[] => {
  const proved = new Set(proofs.map(({ rule }) => rule))
  const known = new Set(rules.map(({ id }) => id))
  const unproved = rules.filter(({ id, state }) => state !== 'coming' && !proved.has(id))
  const strange = proofs.filter(({ rule }) => !known.has(rule))
  return [
    ...unproved.map(({ id, state }) => `${id} is marked ${state}, and no test names it`),
    ...strange.map(({ rule, file }) => `${file} names ${rule}, which is no rule`),
  ]
}

export const conformancePage = (rules: readonly Rule[], proofs: readonly Proof[]): string => {
  const byRule = Map.groupBy(proofs, ({ rule }) => rule)
  const count = (state: Rule['state']) => rules.filter((rule) => rule.state === state).length
  const chapter = ([name, title]: [string, string]) => [
    `## ${title} (${name})`,
    '',
    ...rules
      .filter(({ id }) => id.startsWith(`${name}-`))
      .flatMap((rule) => ruleLines(rule, byRule.get(rule.id) ?? [])),
  ]
  return [
    '<!-- Made by `npm run generate`. Do not edit. -->',
    '# Conformance',
    '',
    `${rules.length} rules: ${count('built')} built, ${count('partly')} partly, ${count('coming')} coming. Their list is`,
    '[conformance/rules.ts](../conformance/rules.ts); a test proves a rule by naming it in its title. `npm run check`',
    'fails where a rule is marked built or partly and no test names it.',
    '',
    ...Object.entries(chapters).flatMap(chapter),
  ].join('\n')
}

const ruleLines = ({ id, says, state, note }: Rule, proofs: readonly Proof[]): string[] => [
  `**${id}** · ${state}${note ? ` (${note.replace(/\.$/, '')})` : ''}  `,
  says,
  '',
  ...[...Map.groupBy(proofs, ({ file }) => file)].flatMap(([file, each]) => [
    `- [${file}](../${file})`,
    ...new Set(each.map(({ title }) => `  - ${title}`)),
  ]),
  ...(proofs.length > 0 ? [''] : []),
]
