import * as table from './dispatch-table.ts'
import { oneWord } from './phrases.ts'

/** A word of a title. */
export interface TitleWord {
  /** As written. */
  text: string
  /** In lower case. */
  word: string
  /** Whether punctuation or a bracket stands between this word and the one before. */
  parted: boolean
}

/** The words of a title, split as `wordsOf` does. */
export const titleWords = (title: string): TitleWord[] => {
  const text = title.normalize('NFC')
  const found: TitleWord[] = []
  let end = 0
  for (const { 0: each, index } of text.matchAll(oneWord)) {
    const parted = /[^\s"'“”‘’`*_]/.test(text.slice(end, index))
    found.push({ text: each, word: each.toLowerCase(), parted })
    end = index + each.length
  }
  return found
}

export interface LeadingPhrase {
  stage: table.LeadingVerbs['stage']
  /** The words that decided, as written: the verb, and the noun where the verb alone does not decide. */
  matched: string[]
}

/** The verb at the head of a title, if it has the object that the table requires. */
export const leadingPhrase = (title: readonly TitleWord[]): LeadingPhrase | undefined => {
  for (const { stage, verbs, with: complement } of table.leadingVerbs)
    for (const verb of verbs) {
      const length = startsWith(title, verb)
      if (length === 0) continue
      const nouns = complements[complement](title.slice(length), verb)
      if (nouns) return { stage, matched: [textOf(title.slice(0, length)), ...nouns] }
    }
  return undefined
}

/** How many words of the title the phrase takes; 0 if the title does not start with it. */
export const startsWith = (title: readonly TitleWord[], phrase: string): number => {
  const parts = phrase.toLowerCase().split(' ')
  const same = parts.every((part, i) => title[i]?.word === part && (i === 0 || !title[i]!.parted))
  return same ? parts.length : 0
}

const textOf = (found: readonly TitleWord[]): string => found.map(({ text }) => text).join(' ')

/** The nouns that make the verb count, none if it counts with any; undefined if the verb does not count. */
type Check = (rest: readonly TitleWord[], verb: string) => string[] | undefined

const when = (holds: boolean): string[] | undefined => (holds ? [] : undefined)

const complements: Readonly<Record<table.Complement, Check>> = {
  any: (rest) => when(rest.length > 0),
  question(rest) {
    return when(objectOf(rest) !== undefined && !has(rest, table.statementVerbs) && !changesSomething(rest))
  },
  subject: (rest, verb) => when(isSubject(skipStudyVerb(rest), verb)),
  people: (rest) => when(['to', 'we'].includes(rest[0]?.word ?? '') && !changesSomething(rest)),
  undertaking(rest) {
    const object = objectOf(rest)
    const isWork = object?.determined && isOne(object.head, table.undertakings)
    return when(isWork === true && !changesSomething(rest))
  },
  requirement(rest) {
    const object = objectOf(rest)
    if (!object || changesSomething(rest)) return undefined
    if (object.question) return []
    return when(isOne(object.head, table.specified) && !tellsBehaviour(rest))
  },
  recipient: (rest) => when(objectOf(rest)?.determined === true && rest.some(({ word }) => word === 'to')),
  document: (rest) => headNoun(rest, table.documents, table.longDocuments),
  record: (rest) => headNoun(rest, table.records, table.longRecords),
  version: (rest) => versionIn(rest),
  'own version'(rest) {
    const at = rest.findIndex(({ word }) => word === 'version')
    const isOwn = at >= 0 && rest.slice(0, at).every(({ word }) => table.ownVersion.has(word))
    if (isOwn && isNounEnd(rest, at + 1)) return [rest[at]!.text]
    return rest[0]?.word === 'to' && rest.length === 2 && isVersion(rest[1]!.word)
      ? [rest[1]!.text]
      : undefined
  },
  package: (rest) => headNoun(rest, table.packages, []),
  'pull request'(rest) {
    const at = rest.findIndex(
      ({ word }, i) =>
        table.pullRequests.has(word) ||
        (['pull', 'merge'].includes(word) && /^requests?$/.test(rest[i + 1]?.word ?? '')),
    )
    return at < 0 ? undefined : [rest[at]!.text]
  },
  tasks(rest) {
    const into = rest.findIndex(({ word }) => word === 'into')
    const object = objectOf(rest[0]?.word === 'down' || rest[0]?.word === 'up' ? rest.slice(1) : rest)
    const items = rest.findIndex(({ word }, i) => i > into && table.workItems.has(word))
    return into > 0 && items > 0 && isNounEnd(rest, items + 1) && object?.determined
      ? [rest[into]!.text, rest[items]!.text]
      : undefined
  },
  epic(rest) {
    const object = objectOf(rest)
    return object?.determined && object.head.word === 'epic' ? [object.head.text] : undefined
  },
}

interface TitleObject {
  /** Whether it starts with an article. */
  determined: boolean
  /** Whether it is a question: "how retries work". */
  question: boolean
  /** The last word of the noun: that before the first connector or punctuation mark. */
  head: TitleWord
  /** What follows the noun. */
  after: readonly TitleWord[]
}

const objectOf = (rest: readonly TitleWord[]): TitleObject | undefined => {
  const [first] = rest
  if (!first || first.parted) return undefined
  if (table.questionWords.has(first.word))
    return rest.length > 1 ? { determined: false, question: true, head: first, after: rest } : undefined
  const determined = table.determiners.has(first.word)
  const from = determined ? 1 : 0
  const isEnd = ({ word, parted }: TitleWord, i: number) => table.connectors.has(word) || (parted && i > 0)
  const length = rest.slice(from).findIndex(isEnd)
  const end = length < 0 ? rest.length : from + length
  if (end === 0) return undefined
  return { determined, question: false, head: rest[end - 1]!, after: rest.slice(end) }
}

/** "Evaluate and compare" has the object after its second verb. */
const skipStudyVerb = (rest: readonly TitleWord[]): readonly TitleWord[] =>
  rest[0]?.word === 'and' && table.studyVerbs.has(rest[1]?.word ?? '') ? rest.slice(2) : rest

const isSubject = (rest: readonly TitleWord[], verb: string): boolean => {
  const object = objectOf(rest)
  if (!object || changesSomething(rest)) return false
  if (object.question) return true
  if (tellsBehaviour(rest)) return false
  const { determined, head, after } = object
  const [joint, second, third] = after
  if (verb === 'compare' && ['vs', 'versus'].includes(joint?.word ?? '')) return true
  // "REST and GraphQL": the second name counts too, if it is the whole noun.
  const isSecond = second && (!third || third.parted || table.connectors.has(third.word))
  if (isName(head, rest) || (joint?.word === 'and' && isSecond && isName(second, rest))) return true
  if (table.qualities.has(head.word) || isGerund(head.word)) return true
  return isOne(head, table.subjects) && (determined || !table.subjects.has(head.word))
}

/** Whether a title says what a program does: "Compare view is empty", "Evaluate formulas when a cell changes". */
const tellsBehaviour = (rest: readonly TitleWord[]): boolean =>
  has(rest, table.statementVerbs) || has(rest, table.occasions)

/** Whether one of the words follows the first. A question may have any of them. */
const has = (rest: readonly TitleWord[], list: ReadonlySet<string>): boolean =>
  !table.questionWords.has(rest[0]?.word ?? '') && rest.some(({ word }, i) => i > 0 && list.has(word))

/** Whether a second verb changes something: "… and fix it", "…, then remove the old one". */
const changesSomething = (rest: readonly TitleWord[]): boolean =>
  rest.some(({ word, parted }, i) => {
    if (!table.changeVerbs.has(word)) return false
    const before = rest[i - 1]?.word
    const isVerb = parted || before === 'and' || before === 'then' || before === 'or'
    // At the end of a title it is a noun: "Compare build and release".
    return isVerb && i + 1 < rest.length
  })

/** The document or package that a verb makes, if that is the head of the object: "an RFC", not "an RFC parser". */
const headNoun = (
  rest: readonly TitleWord[],
  nouns: ReadonlySet<string>,
  phrases: readonly string[],
): string[] | undefined => {
  for (let at = 0; at < Math.min(rest.length, 6); at++) {
    if (rest[at]!.parted || (at > 0 && table.connectors.has(rest[at]!.word))) return undefined
    const phrase = phrases.find((each) => startsWith(rest.slice(at), each) > 0)
    const length = phrase ? phrase.split(' ').length : nouns.has(rest[at]!.word) ? 1 : 0
    if (length > 0 && isNounEnd(rest, at + length)) return [textOf(rest.slice(at, at + length))]
  }
  return undefined
}

/** Whether the noun before `at` is complete: the title ends, or a connector or punctuation mark follows. */
const isNounEnd = (rest: readonly TitleWord[], at: number): boolean =>
  rest[at] === undefined || rest[at].parted || table.connectors.has(rest[at].word)

/** "Ship v2.3.0", "Release version 3 to npm"; not "Release 1.5 GB", "Ship v2 of the form". */
const versionIn = (rest: readonly TitleWord[]): string[] | undefined => {
  for (let at = 0; at < Math.min(rest.length, 5); at++) {
    const { word, text, parted } = rest[at]!
    if ((at > 0 && parted) || table.connectors.has(word)) return undefined
    if (isVersion(word) || (rest[at - 1]?.word === 'version' && /^\d/.test(word)))
      return isNounEnd(rest, at + 1) && rest[at + 1]?.word !== 'of' ? [text] : undefined
  }
  return undefined
}

/** `2.1`, `v3`, but not the 2 of "2 connections". */
const isVersion = (word: string): boolean => /^v?\d+(\.\d+)+([-+.].*)?$|^v\d+$/.test(word)

/** Whether a word, or the singular of it, is in a list. */
const isOne = ({ word }: TitleWord, list: ReadonlySet<string>): boolean =>
  list.has(word) ||
  (word.endsWith('s') && list.has(word.slice(0, -1))) ||
  (word.endsWith('es') && list.has(word.slice(0, -2))) ||
  (word.endsWith('ies') && list.has(`${word.slice(0, -3)}y`))

const isGerund = (word: string): boolean => word.length > 6 && word.endsWith('ing')

/**
 * Whether a word is the name of something: `GraphQL`, `SQLite`, `argon2`, and "Kafka" in "Evaluate Kafka for events", but
 * not where every word has a capital, and not an abbreviation such as `URLs`.
 */
const isName = ({ text }: TitleWord, rest: readonly TitleWord[]): boolean => {
  if (/\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}{2}/u.test(text)) return true
  if (/\p{L}\d/u.test(text) && /\p{Ll}/u.test(text)) return true
  const isTitleCase = rest.every(({ text, word }) => !/^\p{Ll}/u.test(text) || table.connectors.has(word))
  return /^\p{Lu}\p{Ll}/u.test(text) && !isTitleCase
}
