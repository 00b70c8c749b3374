import {
  artefacts,
  changeVerbs,
  connectors,
  data,
  determiners,
  everydayWords,
  studyVerbs,
} from './dispatch-table.ts'
import { wordsOf } from './phrases.ts'
import type { Skill } from './skill-entry.ts'

const most = 2
/** A word that more of the descriptions contain says little about one of them. */
const commonShare = 0.1
const fewSkills = 20

/** Names in titles that the descriptions of public skills give as a file format. */
const formats: Readonly<Record<string, string>> = { powerpoint: 'pptx', excel: 'xlsx' }

/**
 * Skills of project and user whose name or description fits a title: the whole name, or two words that are not
 * everyday ones. Looks at index entries only. CLEO's own skills are left out, because dispatch chooses them.
 */
export const suggestSkills = (skills: readonly Skill[], title: string): string[] => {
  const own = skills.filter(({ origin }) => origin !== 'shipped')
  const words = own.length === 0 ? [] : tellingWords(title)
  if (words.length === 0) return []
  const texts = own.map(({ name, description }) => `${name} ${description}`.toLowerCase())
  const rare = words.filter((word) => {
    const having = texts.reduce((sum, text) => sum + (text.includes(word) ? 1 : 0), 0)
    return having > 0 && (own.length < fewSkills || having <= own.length * commonShare)
  })
  return own
    .map((skill, i) => ({ skill, score: scoreOf(skill, texts[i]!, words, rare) }))
    .filter(({ score }) => score > 1)
    .sort((a, b) => b.score - a.score)
    .filter(({ skill }) => skill.trust === 'trusted')
    .slice(0, most)
    .map(({ skill }) => skill.name)
}

/** The words of a title that say what it is about, in the singular. */
const tellingWords = (title: string): string[] => {
  const words = wordsOf(title).map(singular)
  const telling = words.filter((word) => word.length > 2 && !everyday.some((list) => list.has(word)))
  return [...new Set(telling.flatMap((word) => (formats[word] ? [word, formats[word]] : [word])))]
}

const everyday = [artefacts, changeVerbs, connectors, data, determiners, everydayWords, studyVerbs]

const singular = (word: string): string =>
  word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word

const scoreOf = (
  { name }: Skill,
  text: string,
  words: readonly string[],
  rare: readonly string[],
): number => {
  const found = rare.filter((word) => hasWord(text, word))
  const parts = name.toLowerCase().split(/[-_ .:]/)
  const isNamed = parts.every((part) => words.includes(singular(part)))
  return found.length + (isNamed ? 2 : 0)
}

/** Whether a text has a word, in the singular or plural. Searches without a pattern for every word. */
const hasWord = (text: string, word: string): boolean => {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const end = text.startsWith('s', at + word.length) ? at + word.length + 1 : at + word.length
    if (!isLetter(text[at - 1]) && !isLetter(text[end])) return true
  }
  return false
}

const isLetter = (character: string | undefined): boolean =>
  character !== undefined && character.toLowerCase() !== character.toUpperCase()
