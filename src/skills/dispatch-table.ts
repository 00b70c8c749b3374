import type { Stage } from '../kernel/task.ts'

/**
 * What must follow a verb at the head of a title, so that the verb counts as one ("Research tab" is a noun):
 * - `question`: any object, because programs and buttons have no such verb: "Investigate slow start".
 * - `study`: something to study. Not what a program does to data: "Compare dates", "Evaluate rules on save".
 * - `clear`: a `study` that cannot be part of a noun: "Research the …", "Research payment providers".
 * - `choice`: what people decide; not data, and not a part of a screen: "Choose between light and dark mode".
 * - `determined`: an article or a question word: "Plan the move", not "Plan limits".
 * - `requirement`: an article, a question word, or a noun that people specify: "Specify retry semantics".
 * - `document`, `record`, `version`, `package`, `pull request`, `tasks`, `epic`: the object is one of these.
 * - `any`: whatever follows.
 */
export type Complement =
  | 'question'
  | 'study'
  | 'clear'
  | 'choice'
  | 'determined'
  | 'requirement'
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
  { stage: 'research', verbs: ['compare', 'evaluate', 'explore', 'analyse', 'analyze'], with: 'study' },
  { stage: 'research', verbs: ['research'], with: 'clear' },
  { stage: 'consensus', verbs: ['vote on', 'agree on', 'choose between'], with: 'choice' },
  {
    stage: 'consensus',
    verbs: ['decide whether', 'decide if', 'decide between', 'decide on'],
    with: 'choice',
  },
  { stage: 'consensus', verbs: ['decide which', 'decide what', 'decide how'], with: 'choice' },
  { stage: 'architecture-decision', verbs: ['write', 'draft'], with: 'record' },
  { stage: 'specification', verbs: ['write', 'draft'], with: 'document' },
  { stage: 'specification', verbs: ['specify'], with: 'requirement' },
  { stage: 'decomposition', verbs: ['plan'], with: 'determined' },
  { stage: 'decomposition', verbs: ['decompose', 'break', 'split'], with: 'tasks' },
  { stage: 'decomposition', verbs: ['decompose', 'break down'], with: 'epic' },
  { stage: 'release', verbs: ['release', 'ship', 'publish'], with: 'version' },
  { stage: 'release', verbs: ['release', 'publish'], with: 'package' },
  { stage: 'release', verbs: ['bump'], with: 'own version' },
  { stage: 'contribution', verbs: ['review and merge'], with: 'pull request' },
  { stage: 'contribution', verbs: ['contribute'], with: 'study' },
  {
    stage: 'implementation',
    verbs: ['implement', 'build', 'create', 'add', 'fix', 'write', 'refactor'],
    with: 'any',
  },
]

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean))

/** Words that begin an object and cannot be part of a noun: "Research the …" is a verb with its object. */
export const determiners = words(`
  the a an our my your their its this that these those some any all both several other alternative possible
  how why whether what which who where when if between using moving switching replacing adopting migrating`)

/** Words that begin a question: "Evaluate how …" is about the question, whatever follows. */
export const questionWords = words('how why whether what which who where when if')

/** Verbs of a statement. The word before them is no verb: "Release button stays disabled". */
export const statementVerbs = words(`
  is isn are aren was wasn were does doesn do don did didn has hasn have should shouldn must can cannot will won fails
  stays shows looks breaks disappears crashes throws returns overflows hangs ignores loses gets never always still`)

/** Words that end the noun after a verb. */
export const connectors = words(`
  of for to in on at with without from by about into onto over under between against across via per as than vs versus
  and or but that which who when whenever where while before after during once if because so using through within
  upon until since around like not behind regarding concerning how why whether`)

/** What research is about, in the singular; in the plural where the singular is a part of a program. */
export const subjects = words(`
  option alternative way approach library provider tool strategy practice solution candidate competitor vendor framework
  technique method algorithm format pattern standard protocol database engine platform technology supplier licence
  license regulation trade-off tradeoff cause requirement need possibility idea choice design architecture parser runtime
  queue broker orm sdk cdn scheme function cost risk bottleneck regression leak linter bundler compiler logger backend
  host store stack toolchain services apis clients runners`)

/** What research is about, without a plural. */
export const qualities = words(`
  performance latency usage throughput feasibility compatibility support impact behaviour behavior security scalability
  accessibility reliability availability adoption demand overhead consumption flakiness size speed coverage
  infrastructure concurrency viability competition literature feedback`)

/** Parts of a screen or of a program. Behind a verb they make a noun: "Compare view", "Vote button". */
export const artefacts = words(`
  action alert api app area avatar badge banner bar block board box breadcrumb button calendar callback card carousel
  cell chart chat checkbox chip client column command component control controller counter currency dashboard dialog
  dialogue drawer dropdown editor email endpoint entity error event export extension feature feed field filter flag flow
  footer form gallery graph grid handler header heading history hook icon import indicator inbox input integration
  item job key label landing language layout limit link list listener listing loader locale login logo map menu
  message middleware migration mixin modal mode module name navigation note notification number object
  overlay page pagination pane panel parameter permission picker placeholder player plugin pointer popover
  popup preview profile progress prompt property query rating reminder report request role route router row
  runner screen script search section selector service session setting shortcut sidebar slider slot spinner state step
  string style submission subscription switch tab table tag template test text theme thing thread tile timeline timer
  toast toggle token toolbar tooltip tour tracker trigger type upload url user validation value variable view viewer
  webhook website widget window wizard worker zone`)

/** What programs handle. A program compares dates and evaluates rules; people vote on comments in it. */
export const data = words(`
  account address amount answer array attribute balance basket bid booking branch bytes cart cell character checksum
  comment commit condition contact credential customer date digest document duplicate element entry enum
  expression field file filename flag formula hash id idea image input integer invoice issue item key line list log-entry
  member message neighbour neighbor node number object order password path payment person photo picture plan player poll
  position post predicate price product proposal purchase question record reply response result review revision
  row rule score sentence session signature snapshot song string subscription suggestion sum template term text ticket
  timestamp token topic total transaction tree url user username value variable version vote weight word`)

/** Words that say when or how a program acts: "Compare passwords in constant time". */
export const behaviour = words(`
  when whenever before after during while once automatically lazily eagerly asynchronously concurrently correctly
  properly case-insensitively each every per only constant background parallel side-by-side lexicographically
  numerically recursively incrementally safely silently twice locally server-side client-side`)

/** Events after "on" and "at": "Evaluate rules on save". */
export const events = words(`
  save submit upload load click startup start-up start boot launch change blur focus login sign-in logout checkout
  runtime compile-time hover scroll demand input insert update delete close open exit render request receipt commit push
  merge install import export`)

/** Verbs that change something. Beside another verb they make the title implementation: "Investigate and fix". */
export const changeVerbs = words(`
  implement build create add fix write refactor remove delete replace update upgrade migrate resolve repair patch apply
  change rename move merge deploy release ship publish integrate improve optimise optimize reduce rewrite convert
  enable disable show display highlight store save send warn reject block allow handle support set switch
  extend adjust correct clean restore revert correct render print log cache return solve address prevent stop`)

/** Verbs that may follow "research and": they change nothing. */
export const studyVerbs = words(`
  research investigate explore compare evaluate analyse analyze document summarise summarize report recommend propose
  describe list understand assess review select choose`)

export const documents = words('spec specification rfc')
export const records = words('adr')
/** Documents and records of more than one word. */
export const longDocuments = ['design doc', 'design document', 'design specification', 'request for comments']
export const longRecords = ['architecture decision record', 'decision record', 'architecture decision']

/** Nouns that people specify. */
export const specified = words(`
  api format protocol interface schema contract behaviour behavior requirement rule semantics grammar model flow
  architecture workflow lifecycle policy syntax`)

export const packages = words('package crate gem wheel')
/** Words that may stand between "bump" and "version" when the project's own version is meant. */
export const ownVersion = words(
  'the our its package project app release patch minor major library crate gem module',
)
export const pullRequests = words(
  'pr prs mr mrs branch branches patch patches contribution contributions fork',
)
export const workItems = words('tasks subtasks sub-tasks stories issues tickets')

/** Words of so many titles that they say nothing about the skill a task needs. */
export const everydayWords = words(`
  make use get put take give keep let new old first last next more less better good bad long short small large big
  slow fast empty missing broken wrong invalid unused default custom internal external public private local remote
  code test testing build release deploy production server frontend backend software project repository tool library
  package dependency version config configuration documentation doc docs readme guide example design development
  performance security quality bug crash fail failure problem support process system application data file folder
  work task agent skill review create creation edit editing analysis generate read reading write writing open close
  run start stop check validate parse load sort order display color colour font image text document content format
  web html css javascript typescript python java rust node react component server-side database sql git github
  time day week month year customer business company team people person question information detail
  one two three multiple single every several different same full complete simple complex automatic manual`)
