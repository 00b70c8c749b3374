/** Returns the scripts of a package.json; none if the file is invalid, which the project's own tools report. */
export const packageScripts = (content: string): Map<string, string> => {
  try {
    const { scripts } = JSON.parse(content) as { scripts?: unknown }
    const named = typeof scripts === 'object' && scripts !== null ? Object.entries(scripts) : []
    return new Map(named.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
  } catch {
    return new Map()
  }
}

export interface Makefile {
  /** Each target with its prerequisites and recipe. */
  targets: Map<string, string>
  variables: Map<string, string>
  phony: Set<string>
  includes: string[]
}

export const readMakefile = (content: string): Makefile => {
  const makefile: Makefile = { targets: new Map(), variables: new Map(), phony: new Set(), includes: [] }
  let current: string[] = []
  for (const line of content.split('\n')) {
    const variable = /^\s*(?:export\s+)?([\w.-]+)\s*[:?+!]{0,2}=(.*)$/.exec(line)
    const rule = variable ? null : /^([^\s:#][^:#]*)::?(.*)$/.exec(line)
    const [word = '', ...names] = line.trim().split(/\s+/)
    if (['include', '-include', 'sinclude'].includes(word)) makefile.includes.push(...names.map(withoutDot))
    if (line.startsWith('.PHONY')) for (const name of line.split(/[\s:]+/)) makefile.phony.add(name)
    if (line.startsWith('\t')) current.forEach((target) => add(makefile.targets, target, line.trim()))
    else if (variable) add(makefile.variables, variable[1]!, variable[2]!.trim())
    else if (rule) {
      current = rule[1]!.trim().split(/\s+/)
      current.forEach((target) => add(makefile.targets, target, rule[2]!.trim()))
    } else if (line.trim() !== '' && !line.startsWith('#')) current = []
  }
  return makefile
}

const withoutDot = (path: string): string => (path.startsWith('./') ? path.slice(2) : path)

const add = (lines: Map<string, string>, name: string, line: string): void => {
  const before = lines.get(name)
  lines.set(name, before ? `${before}; ${line}` : line)
}
