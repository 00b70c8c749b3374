/**
 * Returns the part of a settings file that is pinned, because it decides what a command does. The other parts, such as
 * dependencies, may change.
 */
export type Part = (content: string, words: readonly string[]) => string

/**
 * Keeps the lines that match the first pattern and do not match the second. The first pattern finds, for example, the
 * switches that skip tests.
 */
export const linesWith =
  (pattern: RegExp, except?: RegExp): Part =>
  (content) =>
    content
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => pattern.test(line) && !except?.test(line))
      .join('\n')

/** Keeps all lines except empty lines, comments and lines that match a pattern. */
export const linesWithout =
  (pattern: RegExp): Part =>
  (content) =>
    content
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !/^(?:#|\/\/)/.test(line) && !pattern.test(line))
      .join('\n')

/** Keeps the named fields of a JSON object; keeps the whole text if it is not JSON. */
export const jsonFields =
  (...names: string[]): Part =>
  (content) => {
    try {
      const fields = JSON.parse(content) as Record<string, unknown>
      return JSON.stringify(names.map((name) => fields[name]))
    } catch {
      return content
    }
  }

/** Drops top-level keys of a YAML document, with their values. */
export const yamlWithout =
  (...keys: string[]): Part =>
  (content) => {
    let isDropped = false
    const kept: string[] = []
    for (const line of content.split('\n')) {
      const key = /^([\w-]+)\s*:/.exec(line)?.[1]
      if (key !== undefined) isDropped = keys.includes(key)
      if (!isDropped && line.trim() !== '' && !line.trimStart().startsWith('#')) kept.push(line.trimEnd())
    }
    return kept.join('\n')
  }

interface Section {
  /** The name of a section. It also stands for subsections: `tool` includes the section `tool.pytest`. */
  name: string
  keep?: (key: string, words: readonly string[]) => boolean
}

export const sections =
  (...wanted: Section[]): Part =>
  (content, words) => {
    const kept: string[] = []
    let section: Section | undefined
    let title = ''
    let isKept = true
    for (const line of content.split('\n')) {
      const header = /^\s*\[{1,2}([^\]]+)\]{1,2}\s*(?:#.*)?$/.exec(line)?.[1]?.replaceAll(/["'\s]/g, '')
      if (header !== undefined) {
        section = wanted.find(({ name }) => header === name || header.startsWith(`${name}.`))
        title = `[${header}]`
        isKept = true
        continue
      }
      if (!section || line.trim() === '' || line.trimStart().startsWith('#')) continue
      // A line that starts with a space continues the value of the key before it.
      const key = /^(["']?)([\w.-]+)\1\s*[=:]/.exec(line)?.[2]
      if (key !== undefined) isKept = section.keep?.(key, words) ?? true
      if (isKept) kept.push(`${title} ${line.trimEnd()}`)
    }
    return kept.join('\n')
  }
