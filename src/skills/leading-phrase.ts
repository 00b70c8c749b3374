import {
  type Complement,
  changeVerbs,
  type LeadingVerbs,
  leadingVerbs,
  ownVersion,
  studied,
  studyVerbs,
  workItems,
} from './dispatch-table.ts'
import { oneWord } from './phrases.ts'

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean))

/**
 * Words that begin a question. A title such as "Evaluate how …" or "Explore using …" is about the question, whatever
 * words follow.
 */
export const questionWords = words('how why whether what which who where when if using')

/** Articles and other words that begin an object. They show that the word before them is a verb: "Plan the …". */
export const determiners = words(`
  the a an our my your their its this that these those it some any all both several other alternative possible`)

/** Words before which a noun phrase ends, such as "for" in "Plan the cache for users". */
export const connectors = words(`
  of for to in on at with without from by about into onto over under between against across via per as than vs
  versus and or but that which who when whenever where while before after during once if because so using through
  within upon until since around like not behind regarding concerning how why whether upstream`)

/** Verbs of a statement. They show that the words before them are nouns: "Release button stays disabled". */
const statementVerbs = words(`
  is isn are aren was were does doesn do don has hasn should must can cannot will won stays shows looks breaks fails
  never always still`)

/** Words that say when a program acts: "Evaluate formulas when a cell changes". */
const occasions = words('when whenever before after while during once each every automatically')

export interface TitleWord {
  /** As written. */
  text: string
  /** In lower case. */
  word: string
  /** Whether punctuation or a bracket stands between this word and the one before. */
  parted: boolean
}

/** Prefixes that trackers put before a title: `[Task]`, `ABC-123`, `#42`. They are not words of the title. */
const mark = /^\s*(?:\[[^\]]{1,40}\]|\p{Lu}[\p{Lu}\d]+-\d+|#\d+)[\s:–—⁃-]*/u

/** Splits a title into words, as `wordsOf` does. */
export const titleWords = (title: string): TitleWord[] => {
  const text = title.normalize('NFC').replace(mark, '')
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
  stage: LeadingVerbs['stage']
  /** The words that decided the protocol, as written: the verb, and the noun if the verb alone does not decide. */
  matched: string[]
}

/** Returns the verb at the start of a title, if the table allows the words that follow the verb. */
export const leadingPhrase = (title: readonly TitleWord[]): LeadingPhrase | undefined => {
  for (const row of leadingVerbs)
    for (const verb of row.verbs) {
      const length = startsWith(title, verb)
      if (length === 0) continue
      const rest = title.slice(length)
      const nouns = checks[row.with](rest, { verb, nouns: row.nouns ?? [] })
      if (nouns) return { stage: row.stage, matched: [textOf(title.slice(0, length)), ...nouns] }
    }
  return undefined
}

/** Returns how many words the phrase has, if the title starts with it; otherwise 0. */
export const startsWith = (title: readonly TitleWord[], phrase: string): number => {
  const parts = phrase.toLowerCase().split(' ')
  const same = parts.every((part, i) => title[i]?.word === part && (i === 0 || !title[i]!.parted))
  return same ? parts.length : 0
}

const textOf = (found: readonly TitleWord[]): string => found.map(({ text }) => text).join(' ')

/**
 * Checks whether a verb, with the words after it, decides the protocol. Returns the words that decide together with
 * the verb. The list is empty if the verb alone decides. Returns undefined if the verb does not decide.
 */
type Check = (
  rest: readonly TitleWord[],
  row: { verb: string; nouns: readonly string[] },
) => string[] | undefined

const when = (holds: boolean | undefined): string[] | undefined => (holds ? [] : undefined)

const checks: Readonly<Record<Complement, Check>> = {
  any: (rest) => when(rest.length > 0),
  object(rest) {
    const studied = skipStudyVerb(rest)
    return when(objectOf(studied) && !has(studied, statementVerbs) && !changesSomething(studied))
  },
  topic: (rest, { verb, nouns }) => when(isTopic(skipStudyVerb(rest), verb, nouns)),
  people: (rest) => when(['to', 'we'].includes(rest[0]?.word ?? '') && !changesSomething(rest)),
  noun(rest, { nouns }) {
    const object = objectOf(rest)
    const noun = object && !changesSomething(rest) && nounOf(object, nouns)
    return noun ? [noun] : undefined
  },
  requirement(rest, { nouns }) {
    const object = objectOf(rest)
    if (!object || changesSomething(rest)) return undefined
    return when(object.question || (nounOf(object, nouns) !== undefined && !tellsBehaviour(rest)))
  },
  work: (rest, { nouns }) => when(isWork(rest, nouns) && !changesSomething(rest)),
  parts(rest, { verb, nouns }) {
    const into = rest.findIndex(({ word }) => word === 'into')
    if (into <= 0) return undefined
    const from = rest[0]?.word === 'down' || rest[0]?.word === 'up' ? rest.slice(1) : rest
    if (isWork(from, nouns)) return [rest[into]!.text]
    const items = rest.findIndex(({ word }, i) => i > into && workItems.has(word))
    const object = objectOf(from)
    // "Decompose sign-up into tasks" is about one piece of work, so it decides the protocol. "Decompose jobs into
    // tasks" does not decide it, because that title can describe what a program does.
    const isOne = object?.determined || (verb === 'decompose' && object?.head.word.endsWith('s') === false)
    return items > 0 && isNounEnd(rest, items + 1) && isOne
      ? [rest[into]!.text, rest[items]!.text]
      : undefined
  },
  version: (rest) => versionIn(rest),
  'own version'(rest) {
    const after = rest[0]?.word === 'up' ? rest.slice(1) : rest
    if (after.length === 2 && after[0]!.word === 'to' && isVersion(after[1]!.word)) return [after[1]!.text]
    const at = after.findIndex(({ word }) => word === 'version')
    const isOwn = at >= 0 && after.slice(0, at).every(({ word }) => ownVersion.has(word))
    const next = after[at + 1]?.word ?? ''
    return isOwn && next !== 'of' && (isVersion(next) || isNounEnd(after, at + 1))
      ? [after[at]!.text]
      : undefined
  },
  recipient(rest) {
    const upstream = rest.find(({ word }) => word === 'upstream')
    if (upstream) return [upstream.text]
    return when(objectOf(rest)?.determined && rest.some(({ word }) => word === 'to'))
  },
}

interface TitleObject {
  /** Whether the object starts with an article or ends with a number: "the issue", "issue #42". */
  determined: boolean
  /** Whether the object is a question: "how retries work". */
  question: boolean
  /** The words of the noun without its article, up to the first connector or punctuation mark. */
  noun: readonly TitleWord[]
  /** The last word of the noun. */
  head: TitleWord
  after: readonly TitleWord[]
}

const objectOf = (rest: readonly TitleWord[]): TitleObject | undefined => {
  const [first] = rest
  if (!first || first.parted) return undefined
  if (questionWords.has(first.word))
    return rest.length > 1
      ? { determined: false, question: true, noun: [], head: first, after: rest }
      : undefined
  const from = determiners.has(first.word) ? 1 : 0
  const isEnd = ({ word, parted }: TitleWord, i: number) => connectors.has(word) || (parted && i > 0)
  const length = rest.slice(from).findIndex(isEnd)
  let end = length < 0 ? rest.length : from + length
  if (end === 0) return undefined
  const after = rest.slice(end)
  while (end > from + 1 && isNumber(rest[end - 1]!)) end--
  const numbered = end < rest.length && isNumber(rest[end]!)
  const noun = rest.slice(from, end)
  return { determined: from > 0 || numbered, question: false, noun, head: rest[end - 1]!, after }
}

const isNumber = ({ word }: TitleWord): boolean => /^\d+$/.test(word)

/** Skips a second verb, as in "Evaluate and compare" or "Research: compare". The object follows that verb. */
const skipStudyVerb = (rest: readonly TitleWord[]): readonly TitleWord[] => {
  const second = rest[0]?.word === 'and' ? 1 : rest[0]?.parted ? 0 : -1
  return studyVerbs.has(rest[second]?.word ?? '') ? rest.slice(second + 1) : rest
}

const isTopic = (rest: readonly TitleWord[], verb: string, nouns: readonly string[]): boolean => {
  const object = objectOf(rest)
  if (!object || changesSomething(rest)) return false
  if (object.question) return true
  if (tellsBehaviour(rest)) return false
  const { determined, noun, head, after } = object
  const [joint, second, third] = after
  if (verb === 'compare' && ['vs', 'versus'].includes(joint?.word ?? '')) return true
  // "Compare REST and GraphQL" is about a topic, because "GraphQL" is a name. "Compare REST and GraphQL clients" is
  // not about a topic, because another word of the noun follows the name.
  const isSecond = second && (!third || third.parted || connectors.has(third.word))
  if (isName(noun, rest) || (joint?.word === 'and' && isSecond && isName([second], rest))) return true
  if (isGerund(head.word)) return true
  const needsArticle = !verb.includes(' ') && studied.includes(head.word)
  return isOne(head, nouns) && (determined || !needsArticle)
}

const isWork = (rest: readonly TitleWord[], nouns: readonly string[]): boolean => {
  const object = objectOf(rest)
  return object?.determined === true && isOne(object.head, nouns)
}

/** Returns the last words of the object, if the list of nouns contains them. */
const nounOf = ({ noun }: TitleObject, nouns: readonly string[]): string | undefined => {
  const found = nouns
    .map((each) => noun.slice(-each.split(' ').length))
    .find((end, i) => end.map(({ word }) => word).join(' ') === nouns[i])
  return found && textOf(found)
}

/** Whether a title describes what a program does: "Compare view is empty", "Evaluate formulas when a cell changes". */
const tellsBehaviour = (rest: readonly TitleWord[]): boolean =>
  has(rest, statementVerbs) || has(rest, occasions)

/**
 * Whether one of the listed words occurs after the first word. False if the object is a question, because a listed
 * word in a question says nothing about a program.
 */
const has = (rest: readonly TitleWord[], list: ReadonlySet<string>): boolean =>
  !questionWords.has(rest[0]?.word ?? '') && rest.some(({ word }, i) => i > 0 && list.has(word))

/** Whether a second verb changes something: "… and fix it", "…, then remove the old one". */
const changesSomething = (rest: readonly TitleWord[]): boolean =>
  rest.some(({ word, parted }, i) => {
    if (!changeVerbs.has(word)) return false
    const before = rest[i - 1]?.word
    const isVerb = parted || before === 'and' || before === 'then' || before === 'or'
    // At the end of a title, the word is a noun and not a verb: "Compare build and release".
    return isVerb && i + 1 < rest.length
  })

/** Whether a noun ends before `rest[at]`: at the end of the title, or before a connector or punctuation mark. */
const isNounEnd = (rest: readonly TitleWord[], at: number): boolean =>
  rest[at] === undefined || rest[at].parted || connectors.has(rest[at].word)

/**
 * Finds a version: "Ship v2.3.0", "Release version 3 to npm". Finds none in "Release 1.5 GB" and "Ship v2 of the
 * form".
 */
const versionIn = (rest: readonly TitleWord[]): string[] | undefined => {
  for (let at = 0; at < Math.min(rest.length, 5); at++) {
    const { word, text, parted } = rest[at]!
    if ((at > 0 && parted) || connectors.has(word)) return undefined
    if (isVersion(word) || (rest[at - 1]?.word === 'version' && /^\d/.test(word)))
      return isNounEnd(rest, at + 1) && rest[at + 1]?.word !== 'of' ? [text] : undefined
  }
  return undefined
}

/** True for `2.1` and `v3`, but not for the 2 in "2 connections". */
const isVersion = (word: string): boolean => /^v?\d+(\.\d+)+([-+.].*)?$|^v\d+$/.test(word)

/** Whether a word, or its singular, is in a list. */
const isOne = ({ word }: TitleWord, list: readonly string[]): boolean =>
  list.includes(word) ||
  (word.endsWith('s') && list.includes(word.slice(0, -1))) ||
  (word.endsWith('es') && list.includes(word.slice(0, -2))) ||
  (word.endsWith('ies') && list.includes(`${word.slice(0, -3)}y`))

const isGerund = (word: string): boolean => word.length > 6 && word.endsWith('ing')

/**
 * Whether a noun is a proper name, such as `GraphQL`, `SQLite`, `argon2`, or "Kafka" in "Evaluate Kafka for events".
 * An abbreviation such as `URLs` is not a name. All words before the last one must start with a capital letter. If
 * every word of the title starts with a capital letter, capital letters prove nothing.
 */
const isName = (noun: readonly TitleWord[], rest: readonly TitleWord[]): boolean => {
  const text = noun.at(-1)?.text ?? ''
  if (!noun.slice(0, -1).every((each) => /^\p{Lu}/u.test(each.text))) return false
  if (/\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}{2}/u.test(text)) return true
  if (/\p{L}\d/u.test(text) && /\p{Ll}/u.test(text)) return true
  const isTitleCase = rest.every(({ text, word }) => !/^\p{Ll}/u.test(text) || connectors.has(word))
  return /^\p{Lu}\p{Ll}/u.test(text) && !isTitleCase
}
