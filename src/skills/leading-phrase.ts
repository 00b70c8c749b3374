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
    const object = objectOf(rest)
    const isLabel =
      object && !object.determined && object.noun.length === 1 && isOne(object.head, table.artefacts)
    return when(object !== undefined && !isLabel && !changesSomething(rest))
  },
  study: (rest, verb) => when(isStudy(rest, verb)),
  clear(rest, verb) {
    const object = objectOf(skipStudyVerb(rest))
    if (!object || !isStudy(rest, verb)) return undefined
    const { determined, head, noun } = object
    const isSubject = isPlural(head.word) && isOne(head, table.subjects)
    const isName = noun.some((each) => isSpelledAsName(each) || (noun.length > 1 && isProper(each, rest)))
    return when(determined || isSubject || table.qualities.has(head.word) || isGerund(head.word) || isName)
  },
  choice(rest, verb) {
    const object = objectOf(rest)
    if (tellsBehaviour(rest) || changesSomething(rest)) return undefined
    if (table.questionWords.has(verb.slice(verb.indexOf(' ') + 1))) return when(rest.length > 0)
    if (!object) return undefined
    // People also vote on things in a program: "Vote on a comment".
    if ((!object.determined || verb === 'vote on') && isOne(object.head, table.data)) return undefined
    return when(
      object.determined || ![object.head, rest.at(-1)!].some((each) => isOne(each, table.artefacts)),
    )
  },
  determined: (rest) => when(objectOf(rest)?.determined === true && !changesSomething(rest)),
  requirement(rest) {
    const object = objectOf(rest)
    if (!object || tellsBehaviour(rest) || changesSomething(rest)) return undefined
    return when(object.determined || isOne(object.head, table.specified))
  },
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
    const items = rest.slice(into + 1).find(({ word }) => table.workItems.has(word))
    const isData = object && (isOne(object.head, table.data) || isOne(object.head, table.artefacts))
    if (into < 1 || !items || !object || (!object.determined && isData)) return undefined
    return [rest[into]!.text, items.text]
  },
  epic(rest) {
    const object = objectOf(rest)
    return object?.determined && object.head.word === 'epic' ? [object.head.text] : undefined
  },
}

interface TitleObject {
  /** Whether it starts with an article or a question word. */
  determined: boolean
  /** The words up to the first connector or punctuation mark, without the article. */
  noun: readonly TitleWord[]
  /** The last word of the noun. */
  head: TitleWord
}

/** The object after a verb; undefined if there is none, or if the title is a statement: "Compare view is empty". */
const objectOf = (rest: readonly TitleWord[]): TitleObject | undefined => {
  const first = rest[0]
  if (!first || first.parted) return undefined
  const determined = table.determiners.has(first.word)
  const from = determined ? 1 : 0
  const length = rest
    .slice(from)
    .findIndex(({ word, parted }, i) => table.connectors.has(word) || (parted && i > 0))
  const noun = rest.slice(from, length < 0 ? undefined : from + length)
  if (noun.length === 0)
    return determined && rest.length > 1 ? { determined, noun: rest, head: first } : undefined
  const isStatement =
    !table.questionWords.has(first.word) && noun.some(({ word }) => table.statementVerbs.has(word))
  return isStatement ? undefined : { determined, noun, head: noun.at(-1)! }
}

/** "Evaluate and compare" has the object after its second verb. */
const skipStudyVerb = (rest: readonly TitleWord[]): readonly TitleWord[] =>
  rest[0]?.word === 'and' && table.studyVerbs.has(rest[1]?.word ?? '') ? rest.slice(2) : rest

const isStudy = (all: readonly TitleWord[], verb: string): boolean => {
  const rest = verb === 'contribute' && all[0]?.word === 'to' ? all.slice(1) : skipStudyVerb(all)
  const object = objectOf(rest)
  if (!object || changesSomething(rest)) return false
  const { determined, noun, head } = object
  if (table.questionWords.has(rest[0]!.word)) return true
  if (tellsBehaviour(rest) || isOne(head, table.data)) return false
  if (determined) return true
  if (isOne(head, table.subjects) || table.qualities.has(head.word)) return true
  if (isOne(head, table.artefacts)) return false
  if (isGerund(head.word) || noun.some((each) => isProper(each, all))) return true
  // People explore and compare many things with a program: "Explore nearby restaurants".
  if (verb === 'compare') return comparesTwo(rest, noun.length)
  return verb !== 'explore' && isPlural(head.word)
}

/** "bcrypt and argon2", "webpack vs vite": two things by name, and nothing behind them but a reason. */
const comparesTwo = (rest: readonly TitleWord[], at: number): boolean => {
  const [joint, second, after] = rest.slice(at, at + 3)
  if (!joint || !second || !['and', 'with', 'to', 'vs', 'versus', 'against', 'or'].includes(joint.word))
    return false
  return (
    (!after || table.connectors.has(after.word)) &&
    !isOne(second, table.artefacts) &&
    !isOne(second, table.data)
  )
}

const tellsBehaviour = (rest: readonly TitleWord[]): boolean =>
  rest.some(({ word }, i) => {
    if (i > 0 && table.behaviour.has(word)) return true
    return ['on', 'at'].includes(word) && table.events.has(rest[i + 1]?.word ?? '')
  })

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

const isPlural = (word: string): boolean => word.length > 3 && /[^sui]s$/.test(word)

const isGerund = (word: string): boolean => word.length > 6 && word.endsWith('ing')

/** Whether a word is the name of something: "Kafka" in "Evaluate Kafka for events". */
const isProper = (each: TitleWord, rest: readonly TitleWord[]): boolean => {
  if (isSpelledAsName(each)) return true
  const isTitleCase = rest.every(({ text, word }) => !/^\p{Ll}/u.test(text) || table.connectors.has(word))
  return /^\p{Lu}/u.test(each.text) && (!isTitleCase || rest.length === 1)
}

/** `GraphQL`, `argon2`. */
const isSpelledAsName = ({ text }: TitleWord): boolean =>
  /\p{Ll}\p{Lu}/u.test(text) || (/\p{L}\d/u.test(text) && /\p{Ll}/u.test(text))
