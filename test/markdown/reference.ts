import { fromMarkdown } from 'mdast-util-from-markdown'

type Node = ReturnType<typeof fromMarkdown> | ReturnType<typeof fromMarkdown>['children'][number]

export interface Found {
  level: number
  at: number
  title: string
  top: boolean
}

/** Returns the headings of a text as mdast finds them. */
export const referenceHeadings = (text: string): Found[] => {
  const found: Found[] = []
  const visit = (node: Node, top: boolean): void => {
    if (!('children' in node)) return
    for (const child of node.children as Node[]) {
      if (child.type === 'heading')
        found.push({ level: child.depth, at: child.position!.start.offset!, title: words(child), top })
      visit(child, false)
    }
  }
  visit(fromMarkdown(text), true)
  return found
}

/** Returns where mdast finds fenced code in a text. */
export const referenceFences = (text: string): { start: number; end: number }[] => {
  const visit = (node: Node): { start: number; end: number }[] => {
    if (node.type !== 'code') return 'children' in node ? (node.children as Node[]).flatMap(visit) : []
    const [start, end] = [node.position!.start.offset!, node.position!.end.offset!]
    return '`~'.includes(text[start]!) ? [{ start, end }] : []
  }
  return visit(fromMarkdown(text))
}

/** Returns all code that mdast finds in a text, fenced or indented. */
export const referenceCode = (text: string): string[] => {
  const visit = (node: Node): string[] =>
    node.type === 'code' ? [node.value] : 'children' in node ? (node.children as Node[]).flatMap(visit) : []
  return visit(fromMarkdown(text))
}

const words = (node: Node): string =>
  'value' in node ? node.value : 'children' in node ? (node.children as Node[]).map(words).join('') : ''
