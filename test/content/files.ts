import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'

const content = join(import.meta.dirname, '..', '..', 'content')

export const read = (path: string): string => readFileSync(join(content, path), 'utf8')

export const namesIn = (folder: string): string[] => readdirSync(join(content, folder)).sort()

/** The paths of all Markdown files of the content. */
export const everyFile: readonly string[] = readdirSync(content, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.md'))
  .sort()

export const tokens = (text: string): number => countTokens(text)
