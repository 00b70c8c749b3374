import type { Settings } from './outline-line.ts'

/** A heading or list item that becomes a task. */
export interface OutlineItem {
  line: number
  /** 1 at the top. */
  level: number
  title: string
  isHeading: boolean
  key?: string
  settings: Settings
  ticked: boolean
  criteria: OutlineCriterion[]
  /** The lines of the description. */
  text: string[]
  above?: OutlineItem
  children: OutlineItem[]
}

export interface OutlineCriterion {
  line: number
  text: string
  ticked: boolean
}

/** How many lines were read as each kind. Blank lines, rules, comments and front matter are not counted. */
export interface LineCounts {
  task: number
  criterion: number
  dependency: number
  text: number
  ignored: number
  notUnderstood: number
}

export interface Doubt {
  line: number
  message: string
}

export interface Outline {
  items: OutlineItem[]
  /** In the order of their lines. */
  all: OutlineItem[]
  lines: LineCounts
  doubts: Doubt[]
}
