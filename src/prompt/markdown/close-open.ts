import { readBlocks } from './blocks.ts'

/** Closes a code fence or a comment that is left open at the end of a text, inside the list or quote it is in. */
export const closeOpen = (text: string): string => {
  const { open } = readBlocks(text)
  if (!open) return text
  return text.endsWith('\n') ? `${text}${open.closing}\n` : `${text}\n${open.closing}`
}
