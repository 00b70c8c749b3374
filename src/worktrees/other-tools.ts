import { isObject, type JsonObject } from '../kernel/json-object.ts'
import type { ProjectFolder } from '../project-commands/project-folder.ts'
import type { SetUpCommand } from './lock-files.ts'

/** Patterns in `.gitignore` syntax that select ignored files to copy into a new worktree. */
export interface CopyPatterns {
  source: string
  patterns: string[]
}

interface ToolFile {
  file: string
  /** Returns the script that prepares a worktree, as text for `sh`; undefined if the file has none. */
  script?(text: string): string | undefined
  /**
   * Names of the environment variables in which the tool passes the paths of the main checkout and the worktree to its
   * script.
   */
  variables?: readonly { main?: string; worktree?: string }[]
  patterns?(text: string): string[]
}

/**
 * Files in which projects describe worktrees for other tools. `.config/wt.toml` is not read, because it contains
 * templates.
 */
const toolFiles: readonly ToolFile[] = [
  { file: '.worktreeinclude', patterns: (text) => text.split('\n') },
  {
    file: '.codex/environments/environment.toml',
    script: (text) => tomlSetup(text),
    variables: [{ main: 'CODEX_SOURCE_TREE_PATH', worktree: 'CODEX_WORKTREE_PATH' }],
  },
  {
    file: '.cursor/worktrees.json',
    script: (text) => {
      const { 'setup-worktree-unix': unix, 'setup-worktree': any } = fieldsOf(text)
      const setup = unix ?? any
      // In this file, a string is the path of a script in `.cursor`, and a list holds the lines of a script.
      return typeof setup === 'string' ? `sh '.cursor/${setup.replaceAll("'", `'\\''`)}'` : lines(setup)
    },
    variables: [{ main: 'ROOT_WORKTREE_PATH' }],
  },
  {
    file: 'conductor.json',
    script: (text) => lines(fieldsIn(fieldsOf(text)['scripts'])['setup']),
    variables: [{ main: 'CONDUCTOR_ROOT_PATH', worktree: 'CONDUCTOR_WORKSPACE_PATH' }],
  },
  {
    file: '.superset/config.json',
    script: (text) => lines(fieldsOf(text)['setup']),
    variables: [{ main: 'SUPERSET_ROOT_PATH' }],
  },
  {
    file: '.emdash.json',
    script: (text) => lines(fieldsIn(fieldsOf(text)['scripts'])['setup']),
    variables: [{ main: 'EMDASH_ROOT_PATH' }],
    patterns: (text) => texts(fieldsOf(text)['preservePatterns']),
  },
]

/**
 * Returns the set-up of the first tool that has one. The set-ups of other tools are ignored, because they would do the
 * same work again.
 */
export const otherToolCommands = (project: ProjectFolder, main: string, worktree: string): SetUpCommand[] => {
  for (const { file, script, variables = [] } of toolFiles) {
    const text = script && project.read(file)
    const found = text === undefined ? undefined : script?.(text)
    if (!found) continue
    const paths = variables.flatMap((names) => [
      ...(names.main ? [[names.main, main]] : []),
      ...(names.worktree ? [[names.worktree, worktree]] : []),
    ])
    const words = ['sh', '-c', `set -e\n${found}`]
    return [{ words, source: file, variables: Object.fromEntries(paths) }]
  }
  return []
}

export const otherToolPatterns = (project: ProjectFolder): CopyPatterns[] =>
  toolFiles.flatMap(({ file, patterns }): CopyPatterns[] => {
    const text = patterns && project.read(file)
    const found = text === undefined ? [] : (patterns?.(text) ?? []).map((line) => line.trim())
    const used = found.filter((line) => line !== '' && !line.startsWith('#'))
    return used.length > 0 ? [{ source: file, patterns: used }] : []
  })

type ToolSettings = Readonly<JsonObject>

const fieldsIn = (value: unknown): ToolSettings => (isObject(value) ? value : {})

const fieldsOf = (text: string): ToolSettings => {
  try {
    return fieldsIn(JSON.parse(text))
  } catch {
    return {}
  }
}

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : []

const lines = (value: unknown): string | undefined => {
  const script = (typeof value === 'string' ? [value] : texts(value)).join('\n').trim()
  return script === '' ? undefined : script
}

/** Reads the key `script` in the section `[setup]`. Its value can be in any of the four forms of a TOML string. */
const tomlSetup = (text: string): string | undefined => {
  const section = /^\[setup\][^\S\n]*(?:#.*)?\n([\s\S]*)/m.exec(text)?.[1] ?? ''
  const own = /^\s*script\s*=\s*(?:'''([\s\S]*?)'''|"""([\s\S]*?)"""|'([^'\n]*)'|"((?:[^"\\\n]|\\.)*)")/m
  const at = own.exec(section)
  // If another section begins before this key, the key belongs to that section.
  if (!at || /^\s*\[/m.test(section.slice(0, at.index))) return undefined
  const [, literal, basic, shortLiteral, shortBasic] = at
  const escaped = basic ?? shortBasic
  return lines(escaped === undefined ? (literal ?? shortLiteral) : unescaped(escaped))
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '"': '"', '\\': '\\' }

const unescaped = (text: string): string =>
  text
    .replaceAll(/\\[^\S\n]*\n\s*/g, '')
    .replaceAll(/\\(.)/g, (whole, letter: string) => escapes[letter] ?? whole)
