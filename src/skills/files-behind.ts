import { filesBelow, statAt } from '../host/stat.ts'
import { linkedFiles } from './links.ts'

const most = 200

/** The files behind a SKILL.md: those below `references/`, and Markdown files that it links to; in path order. */
export const filesBehind = (folder: string, text: string): string[] => {
  const kept = filesBelow(`${folder}/references`, most) ?? []
  const linked = linkedFiles(text).filter((path) => statAt(`${folder}/${path}`)?.kind === 'file')
  const below = kept.filter(({ kind }) => kind === 'file').map(({ path }) => `references/${path}`)
  return [...new Set([...below, ...linked])].sort().slice(0, most)
}
