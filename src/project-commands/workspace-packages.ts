import { packageScripts } from './build-files.ts'
import { foldersWith } from './glob.ts'
import type { ProjectFolder } from './project-folder.ts'

const mostPackages = 2000

export interface WorkspacePackage {
  folder: string
  scripts: ReadonlyMap<string, string>
}

/** Returns the packages of an npm, pnpm, yarn, bun, Lerna or Nx workspace; none if the folder is not a workspace. */
export const workspacePackages = (project: ProjectFolder): WorkspacePackage[] => {
  const patterns = packagePatterns(project)
  if (patterns.length === 0) return []
  return foldersWith(project, patterns, ['package.json'])
    .slice(0, mostPackages)
    .map((folder) => ({ folder, scripts: packageScripts(project.read(`${folder}/package.json`) ?? '') }))
}

const packagePatterns = ({ read, names }: ProjectFolder): string[] => {
  const { workspaces } = jsonOf(read('package.json'))
  const listed = Array.isArray(workspaces) ? workspaces : fieldsOf(workspaces)['packages']
  return [
    ...texts(listed),
    ...(names.includes('pnpm-workspace.yaml') ? yamlPackages(read('pnpm-workspace.yaml') ?? '') : []),
    ...(names.includes('lerna.json') ? texts(jsonOf(read('lerna.json'))['packages']) : []),
    ...(names.includes('nx.json') ? ['apps/*', 'libs/*', 'packages/*'] : []),
  ]
}

/** Reads the list `packages` of a pnpm-workspace.yaml, in either of the two forms of a YAML list. */
const yamlPackages = (text: string): string[] => {
  const [, inline, lines] = /^packages\s*:[ \t]*(\[[^\]]*\])?((?:[^\n]*\n?(?=[\s#-]|$))*)/m.exec(text) ?? []
  const items = inline ? inline.slice(1, -1).split(',') : (lines ?? '').split('\n').flatMap(itemOf)
  return items.map((item) => item.trim().replace(/^(["'])(.*)\1$/, '$2')).filter((item) => item !== '')
}

const itemOf = (line: string): string[] => {
  const item = /^\s*-\s*(.*)$/.exec(line)?.[1]
  return item === undefined ? [] : [item.replace(/\s+#.*$/, '')]
}

const jsonOf = (text: string | undefined): Record<string, unknown> => {
  try {
    return fieldsOf(JSON.parse(text ?? '{}'))
  } catch {
    // Ignored, because the package manager itself reports a file that is not JSON.
    return {}
  }
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : []
