/** What a subagent may ask for in place of a result: a skill, or more of one it has. */
export interface Need {
  skill: string
  level: 'L1' | 'L2'
}

/** Reads `need skill: X` or `need level: X L2`, the whole line; undefined for anything else. */
export const readNeed = (line: string): Need | undefined => {
  const skill = /^need skill: ([a-z0-9-]{1,64})$/.exec(line)?.[1]
  if (skill) return { skill, level: 'L1' }
  const [, name, level] = /^need level: ([a-z0-9-]{1,64}) (L[12])$/.exec(line) ?? []
  return name ? { skill: name, level: level as Need['level'] } : undefined
}
