import { changeVerbs, studyVerbs } from './dispatch-table.ts'
import { connectors, determiners, questionWords } from './leading-phrase.ts'
import { wordsOf } from './phrases.ts'
import type { Skill } from './skill-entry.ts'

const most = 2
/** A word is ignored if more than this share of all descriptions contains it. */
const commonShare = 0.1
const fewSkills = 20

/**
 * Maps the name of a program to its file format. The title of a task often contains the program's name, but the
 * description of a public skill contains the name of the format.
 */
const formats: Readonly<Record<string, string>> = { powerpoint: 'pptx', excel: 'xlsx' }

/**
 * Returns skills of the project and the user that fit a title. The title must contain the skill's whole name, or two
 * distinctive words of its name and description. Reads index entries only. Leaves out CLEO's own skills, because
 * dispatch chooses them.
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

const tellingWords = (title: string): string[] => {
  const words = wordsOf(title).map(singular)
  const telling = words.filter((word) => word.length > 2 && !everyday.some((list) => list.has(word)))
  return [...new Set(telling.flatMap((word) => (formats[word] ? [word, formats[word]] : [word])))]
}

/**
 * Words that do not show which skill a task needs, because many titles contain them. They are words for parts of
 * programs, words for data, and adjectives.
 */
const everydayWords: ReadonlySet<string> = new Set(
  `
  action alert api app area avatar badge banner bar block board box breadcrumb button calendar callback card
  carousel cell chart chat checkbox chip client column command component control controller counter currency
  dashboard dialog dialogue drawer dropdown editor email endpoint entity error event export extension feature feed
  field filter flag flow footer form gallery graph grid handler header heading history hook icon import indicator
  inbox input integration item job key label landing language layout limit link list listener listing loader locale
  login logo map menu message middleware migration mixin modal mode module name navigation note notification number
  object overlay page pagination pane panel parameter permission picker placeholder player plugin pointer popover
  popup preview profile progress prompt property query rating reminder report request role route router row runner
  screen script search section selector service session setting shortcut sidebar slider slot spinner state step
  string style submission subscription switch tab table tag template test text theme thing thread tile timeline
  timer toast toggle token toolbar tooltip tour tracker trigger type upload url user validation value variable view
  viewer webhook website widget window wizard worker zone account address amount answer array attribute balance
  basket bid booking branch bytes cart character checksum comment commit condition contact credential customer date
  digest document duplicate element entry enum expression file filename formula hash id idea image integer invoice
  issue line log-entry member neighbour neighbor node order password path payment person photo picture plan poll
  position post predicate price product proposal purchase question record reply response result review revision rule
  score sentence signature snapshot song suggestion sum term ticket timestamp topic total transaction tree username
  version vote weight word make use get put take give keep let new old first last next more less better good bad
  long short small large big slow fast empty missing broken wrong invalid unused default custom internal external
  public private local remote code testing build release deploy production server frontend backend software project
  repository tool library package dependency config configuration documentation doc docs readme guide example design
  development performance security quality bug crash fail failure problem support process system application data
  folder work task agent skill create creation edit editing analysis generate read reading write writing open close
  run start stop check validate parse load sort display color colour font content format web html css javascript
  typescript python java rust react server-side database sql git github time day week month year business company
  team people information detail one two three multiple single every several different same full complete simple
  complex automatic manual`.split(/\s+/),
)

const everyday = [changeVerbs, connectors, determiners, everydayWords, questionWords, studyVerbs]

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

/**
 * Whether a text contains a word in the singular or plural. Uses no regular expression, because one would have to be
 * compiled for each word.
 */
const hasWord = (text: string, word: string): boolean => {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const end = text.startsWith('s', at + word.length) ? at + word.length + 1 : at + word.length
    if (!isLetter(text[at - 1]) && !isLetter(text[end])) return true
  }
  return false
}

const isLetter = (character: string | undefined): boolean =>
  character !== undefined && character.toLowerCase() !== character.toUpperCase()
