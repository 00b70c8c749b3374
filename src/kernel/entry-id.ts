import { parseTaskId } from './task-id.ts'

/** Returns the canonical form of an id such as `T012-sign-up-form`, and the id of its task. */
export const parseEntryId = (text: string): { id: string; task: string } | undefined => {
  const at = text.indexOf('-')
  const [first, slug] = [text.slice(0, at), text.slice(at + 1)]
  const task = at > 0 && (first[0] === 'T' || first[0] === 't') ? parseTaskId(first) : undefined
  return task && isSlug(slug) ? { id: `${task}-${slug}`, task } : undefined
}

const isSlug = (slug: string): boolean => {
  if (slug === '' || slug.length > 100) return false
  for (const char of slug) if (!isLetterOrDigit(char) && !'-_.'.includes(char)) return false
  return isLetterOrDigit(slug[0]!)
}

const isLetterOrDigit = (char: string) =>
  (char >= 'a' && char <= 'z') || (char >= '0' && char <= '9') || (char >= 'A' && char <= 'Z')

/** Returns the id for the n-th entry with the same name: `T012-sign-up-form-2`. */
export const numbered = (id: string, n: number): string => (n === 1 ? id : `${id}-${n}`)
