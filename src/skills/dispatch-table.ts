import type { Stage } from '../kernel/task.ts'

const words = (text: string): readonly string[] => text.split(/\s+/).filter(Boolean)

/**
 * Nouns for things that people study and decide on: "Compare libraries". Any other noun means work on a program:
 * "Compare dates", "Vote on comments".
 */
export const studied: readonly string[] = words(`
  option alternative way approach library provider tool strategy practice solution candidate competitor vendor framework
  technique method algorithm format pattern standard protocol database engine platform technology supplier licence
  license regulation trade-off tradeoff cause requirement possibility architecture parser runtime broker orm sdk cdn
  scheme convention service queue store cache design cost risk bottleneck regression leak linter bundler compiler
  backend stack toolchain market spec version`)

/**
 * More nouns for things that people study. These count even in the singular and without an article: "Analyse bundle
 * size".
 */
const qualities = words(`
  performance latency usage throughput feasibility compatibility support impact behaviour behavior security scalability
  accessibility reliability availability adoption demand overhead consumption flakiness size speed coverage
  infrastructure concurrency viability competition literature feedback`)

/** Nouns for things that people specify. */
const specified = words(`
  api apis format formats protocol protocols interface interfaces schema schemas contract contracts behaviour behavior
  requirement requirements semantics grammar architecture workflow workflows lifecycle policy policies syntax`)

/** Nouns for pieces of work that people plan. */
const undertakings = words(`
  move migration rewrite refactoring rollout upgrade launch work epic project redesign transition switch replacement
  removal release`)

/**
 * What must follow a verb at the start of a title, so that the word counts as a verb. "The nouns" are the `nouns`
 * in the verb's row of `leadingVerbs`.
 * - `any`: whatever follows.
 * - `object`: any object: "Investigate slow start". No list of nouns is needed, because only people do what such a verb
 *   says.
 * - `topic`: a question, a name, or one of the nouns in the plural or with an article. "Compare tool" does not count.
 *   After a verb with a preposition the article may be missing: "Decide on license".
 * - `people`: a decision of people: "Decide whether to …", "Decide if we …".
 * - `noun`: one of the nouns, as the head of the object: "an RFC", not "an RFC parser".
 * - `requirement`: a question or one of the nouns: "Specify retry semantics".
 * - `work`: one of the nouns with an article or a number: "Plan the move", not "Plan limits" or "Plan the trip
 *   screen".
 * - `parts`: "… into tasks", or one of the nouns with an article or a number: "Split the epic into …".
 * - `version`, `own version`: "Ship v2.3.0", "Bump version to 2.0".
 * - `recipient`: "… to …" or "… upstream".
 */
export type Complement =
  | 'any'
  | 'object'
  | 'topic'
  | 'people'
  | 'noun'
  | 'requirement'
  | 'work'
  | 'parts'
  | 'version'
  | 'own version'
  | 'recipient'

export interface LeadingVerbs {
  stage: Stage
  verbs: readonly string[]
  with: Complement
  nouns?: readonly string[]
}

/**
 * If a title begins with one of these verbs, the verb decides the protocol. Each row also says what must follow the
 * verb. A title without such a verb means implementation, which requires the most evidence. If several rows have the
 * same verb, the first row that matches wins.
 */
export const leadingVerbs: readonly LeadingVerbs[] = [
  { stage: 'research', verbs: ['investigate', 'find out', 'figure out'], with: 'object' },
  {
    stage: 'research',
    verbs: ['research', 'compare', 'evaluate', 'explore', 'analyse', 'analyze'],
    with: 'topic',
    nouns: [...studied, ...qualities],
  },
  { stage: 'consensus', verbs: ['decide whether', 'decide if'], with: 'people' },
  {
    stage: 'consensus',
    verbs: ['vote on', 'agree on', 'decide on', 'decide between', 'choose between'],
    with: 'topic',
    nouns: [...studied, ...qualities, ...specified, 'name', 'logo'],
  },
  {
    stage: 'architecture-decision',
    verbs: ['write', 'draft'],
    with: 'noun',
    nouns: ['adr', 'architecture decision record', 'decision record', 'architecture decision'],
  },
  {
    stage: 'specification',
    verbs: ['write', 'draft'],
    with: 'noun',
    nouns: ['spec', 'specification', 'rfc', 'design doc', 'design document'],
  },
  { stage: 'specification', verbs: ['specify'], with: 'requirement', nouns: specified },
  { stage: 'decomposition', verbs: ['plan'], with: 'work', nouns: undertakings },
  { stage: 'decomposition', verbs: ['decompose', 'break', 'split'], with: 'parts', nouns: ['epic', 'issue'] },
  { stage: 'decomposition', verbs: ['decompose', 'break down'], with: 'work', nouns: ['epic', 'issue'] },
  { stage: 'release', verbs: ['release', 'ship', 'publish'], with: 'version' },
  {
    stage: 'release',
    verbs: ['release', 'publish'],
    with: 'noun',
    nouns: ['package', 'packages', 'crate', 'crates', 'gem', 'wheel'],
  },
  { stage: 'release', verbs: ['bump'], with: 'own version' },
  {
    stage: 'contribution',
    verbs: ['review and merge'],
    with: 'noun',
    nouns: [
      ...['pull request', 'pull requests', 'merge request', 'merge requests'],
      ...words('pr prs mr mrs branch branches patch patches contribution contributions fork'),
    ],
  },
  { stage: 'contribution', verbs: ['contribute'], with: 'recipient' },
  {
    stage: 'implementation',
    verbs: ['implement', 'build', 'create', 'add', 'fix', 'write', 'refactor'],
    with: 'any',
  },
]

export const workItems = new Set(words('tasks subtasks sub-tasks stories issues tickets'))

/** Words that can stand between "bump" and "version" if the title is about the project's own version. */
export const ownVersion = new Set(
  words('to the our its package project app release patch minor major library crate gem module'),
)

/**
 * Verbs for work that changes something. If one of them follows the first verb of a title, the title means
 * implementation: "Investigate and fix it".
 */
export const changeVerbs = new Set(
  words(`
  implement build create add fix write refactor remove delete replace update upgrade migrate resolve repair patch
  apply change rename move merge deploy release ship publish integrate improve optimise optimize reduce rewrite
  convert enable disable show display highlight store save send warn reject block allow handle support set switch
  extend adjust correct clean restore revert render print log cache return solve address prevent stop`),
)

/**
 * Verbs for work that changes nothing. They can follow another verb: "research and compare", "Research: compare".
 */
export const studyVerbs = new Set(
  words(`
  research investigate explore compare evaluate analyse analyze document summarise summarize report recommend
  propose describe list understand assess review select choose determine identify study`),
)
