import type { Stage } from '../kernel/task.ts'

/**
 * What must follow a verb at the head of a title, so that the verb counts as one ("Research tab" is a noun):
 * - `question`: any object, because programs and buttons have no such verb: "Investigate slow start".
 * - `subject`: a question, or something that people study and decide on, by kind or by name. Not what a program works
 *   on: "Compare dates", "Vote on comments", "Research the market page".
 * - `people`: what people decide: "Decide whether to …", "Decide if we …".
 * - `undertaking`: a piece of work, with an article: "Plan the move", not "Plan limits" or "Plan the trip screen".
 * - `requirement`: a question, or a noun that people specify: "Specify retry semantics".
 * - `recipient`: "Contribute … to …".
 * - `document`, `record`, `version`, `package`, `pull request`, `tasks`, `epic`: the object is one of these.
 * - `any`: whatever follows.
 */
export type Complement =
  | 'question'
  | 'subject'
  | 'people'
  | 'undertaking'
  | 'requirement'
  | 'recipient'
  | 'document'
  | 'record'
  | 'version'
  | 'own version'
  | 'package'
  | 'pull request'
  | 'tasks'
  | 'epic'
  | 'any'

export interface LeadingVerbs {
  stage: Stage
  verbs: readonly string[]
  with: Complement
}

/**
 * The verbs at the head of a title that decide the protocol, each with what has to follow. Whatever is not in this
 * table is implementation, which requires the most evidence. Of several rows with the same verb the first match wins.
 */
export const leadingVerbs: readonly LeadingVerbs[] = [
  { stage: 'research', verbs: ['investigate', 'find out', 'figure out'], with: 'question' },
  {
    stage: 'research',
    verbs: ['research', 'compare', 'evaluate', 'explore', 'analyse', 'analyze'],
    with: 'subject',
  },
  { stage: 'consensus', verbs: ['decide whether', 'decide if'], with: 'people' },
  {
    stage: 'consensus',
    verbs: ['vote on', 'agree on', 'decide on', 'decide between', 'choose between'],
    with: 'subject',
  },
  { stage: 'architecture-decision', verbs: ['write', 'draft'], with: 'record' },
  { stage: 'specification', verbs: ['write', 'draft'], with: 'document' },
  { stage: 'specification', verbs: ['specify'], with: 'requirement' },
  { stage: 'decomposition', verbs: ['plan'], with: 'undertaking' },
  { stage: 'decomposition', verbs: ['decompose', 'break', 'split'], with: 'tasks' },
  { stage: 'decomposition', verbs: ['decompose', 'break down'], with: 'epic' },
  { stage: 'release', verbs: ['release', 'ship', 'publish'], with: 'version' },
  { stage: 'release', verbs: ['release', 'publish'], with: 'package' },
  { stage: 'release', verbs: ['bump'], with: 'own version' },
  { stage: 'contribution', verbs: ['review and merge'], with: 'pull request' },
  { stage: 'contribution', verbs: ['contribute'], with: 'recipient' },
  {
    stage: 'implementation',
    verbs: ['implement', 'build', 'create', 'add', 'fix', 'write', 'refactor'],
    with: 'any',
  },
]

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean))

/** Words that begin a question: "Evaluate how …" is about the question, whatever follows. */
export const questionWords = words('how why whether what which who where when if')

/** Words that begin an object and cannot be part of a noun: "Plan the …" is a verb with its object. */
export const determiners = words(`
  the a an our my your their its this that these those it some any all both several other alternative possible`)

/** Words that end the noun after a verb. */
export const connectors = words(`
  of for to in on at with without from by about into onto over under between against across via per as than vs
  versus and or but that which who when whenever where while before after during once if because so using through
  within upon until since around like not behind regarding concerning how why whether`)

/** What people study and decide on. A singular needs an article: "Compare tool" is a noun. */
export const subjects = words(`
  option alternative way approach library provider tool strategy practice solution candidate competitor vendor framework
  technique method algorithm format pattern standard protocol database engine platform technology supplier licence
  license regulation trade-off tradeoff cause requirement possibility architecture parser runtime broker orm sdk cdn
  scheme convention service queue store cache design cost risk bottleneck regression leak linter bundler compiler backend stack toolchain market spec
  version`)

/** The same without a plural. */
export const qualities = words(`
  performance latency usage throughput feasibility compatibility support impact behaviour behavior security scalability
  accessibility reliability availability adoption demand overhead consumption flakiness size speed coverage
  infrastructure concurrency viability competition literature feedback`)

/** Verbs of a statement. The word before them is no verb: "Release button stays disabled". */
export const statementVerbs = words(`
  is isn are aren was were does doesn do don has hasn should must can cannot will won stays shows looks breaks fails
  never always still`)

/** Words that say when a program acts: "Evaluate formulas when a cell changes". */
export const occasions = words('when whenever before after while during once each every automatically')

/** Verbs that change something. Beside another verb they make the title implementation: "Investigate and fix". */
export const changeVerbs = words(`
  implement build create add fix write refactor remove delete replace update upgrade migrate resolve repair patch
  apply change rename move merge deploy release ship publish integrate improve optimise optimize reduce rewrite
  convert enable disable show display highlight store save send warn reject block allow handle support set switch
  extend adjust correct clean restore revert render print log cache return solve address prevent stop`)

/** Verbs that may follow "research and": they change nothing. */
export const studyVerbs = words(`
  research investigate explore compare evaluate analyse analyze document summarise summarize report recommend
  propose describe list understand assess review select choose`)

/** Pieces of work that are planned. */
export const undertakings = words(`
  move migration rewrite refactoring rollout upgrade launch work epic project redesign transition switch replacement
  removal release`)

export const documents = words('spec specification rfc')
export const records = words('adr')
/** Documents and records of more than one word. */
export const longDocuments = ['design doc', 'design document', 'design specification', 'request for comments']
export const longRecords = ['architecture decision record', 'decision record', 'architecture decision']

/** Nouns that people specify. */
export const specified = words(`
  api format protocol interface schema contract behaviour behavior requirement semantics grammar architecture workflow
  lifecycle policy syntax`)

export const packages = words('package crate gem wheel')
/** Words that may stand between "bump" and "version" when the project's own version is meant. */
export const ownVersion = words(
  'the our its package project app release patch minor major library crate gem module',
)
export const pullRequests = words(
  'pr prs mr mrs branch branches patch patches contribution contributions fork',
)
export const workItems = words('tasks subtasks sub-tasks stories issues tickets')
