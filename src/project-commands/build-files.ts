/**
 * Returns the scripts of a package.json. Returns none if the file is invalid, because the project's own tools
 * report an invalid file.
 */
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
  /** The files that the makefile includes, with variables filled in; their names can contain `*`. */
  includes: string[]
}

export const readMakefile = (content: string): Makefile => {
  const makefile: Makefile = { targets: new Map(), variables: new Map(), phony: new Set(), includes: [] }
  let current: string[] = []
  for (const line of content.replaceAll(/\\\r?\n\s*/g, ' ').split('\n')) {
    const variable = /^\s*(?:export\s+)?([\w.-]+)\s*[:?+!]{0,2}=(.*)$/.exec(line)
    const rule = variable ? null : /^([^\s:#][^:#]*)::?(.*)$/.exec(line)
    const included = /^\s*(?:-include|sinclude|include)\s+(.*)$/.exec(line)?.[1]
    if (included !== undefined) makefile.includes.push(...includedFiles(included, makefile.variables))
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

/**
 * Returns the included files, with variables and `$(wildcard …)` filled in. Other functions of make are not evaluated:
 * see decision 37.
 */
const includedFiles = (text: string, variables: ReadonlyMap<string, string>): string[] => {
  let filled = text.replace(/\s#.*$/, '')
  for (let depth = 0; depth < 3; depth++)
    filled = filled.replaceAll(/\$[({]([\w.-]+)[)}]/g, (whole, name) => variables.get(name) ?? whole)
  return filled
    .replaceAll(/\$[({]wildcard\s+([^(){}]*)[)}]/g, '$1')
    .replaceAll(/\$[({]CURDIR[)}]\//g, '')
    .split(/\s+/)
    .filter((name) => name !== '')
    .map(withoutDot)
}

const withoutDot = (path: string): string => (path.startsWith('./') ? path.slice(2) : path)

const add = (lines: Map<string, string>, name: string, line: string): void => {
  const before = lines.get(name)
  lines.set(name, before ? `${before}; ${line}` : line)
}
