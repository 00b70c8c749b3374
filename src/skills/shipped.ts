import type { Entry } from './entry.ts'

/** A skill that comes with CLEO, taken apart when CLEO is made: a spawn parses none. */
export interface ShippedSkill {
  /** The lines between the two `---`, without them. */
  frontMatter: string
  body: string
  /** The same with its headings below those of a prompt. */
  demoted: string
  /** What lies behind SKILL.md, by its path below the skill's folder. */
  files: readonly { path: string; text: string }[]
}

export interface ShippedEntry extends Entry {
  /** Of SKILL.md as a whole, by the exact count of o200k. */
  tokens: number
}
