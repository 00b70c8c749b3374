import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { estimate, filterOf } from '../src/prompt/budget/estimate.ts'
import { loadTokenizer } from '../src/prompt/budget/measure.ts'

const root = join(import.meta.dirname, '..')
const filterFile = join(root, 'src/prompt/budget/generated/filter.ts')

/**
 * Returns the entries of the vocabulary o200k that the estimator knows. Leaves out numbers and long entries.
 *
 * - Keeps an ASCII entry if the vocabulary cl100k has it too, because cl100k was made for English and code.
 * - Keeps every ASCII entry with an apostrophe. Many of these are not in cl100k, which splits words at apostrophes.
 * - Keeps any other entry if it is one of the first 20,000, which are common characters and words.
 */
export const entries = async (): Promise<string[]> => {
  const { default: o200k } = await import('gpt-tokenizer/bpeRanks/o200k_base')
  const { default: cl100k } = await import('gpt-tokenizer/bpeRanks/cl100k_base')
  const english = new Set(cl100k)
  return o200k.filter(
    (entry, rank): entry is string =>
      typeof entry === 'string' &&
      entry.length <= 16 &&
      !/^\d+$/.test(entry) &&
      (/^[\x00-\x7f]*$/.test(entry) ? english.has(entry) || entry.includes("'") : rank < 20_000),
  )
}

export const filterSource = async (): Promise<string> =>
  `// Made by \`node bench/estimator.ts --write\`. Do not edit.\nexport const filter =\n  '${filterOf(await entries())}'\n`

/**
 * Prints how far the estimate is off for the files of some folders, and how fast the estimate is. To run it: `node
 * bench/estimator.ts [folder…]`.
 */
const report = async (folders: readonly string[]): Promise<void> => {
  const exact = await loadTokenizer()
  const texts = folders
    .flatMap(filesBelow)
    .map((file) => ({ file, text: readFileSync(file, 'utf8').slice(0, 40_000) }))
  const rows = texts
    .filter(({ text }) => text.length >= 500 && !text.includes('\0'))
    .map(({ file, text }) => ({ file, error: estimate(text) / exact(text) - 1 }))
    .sort((a, b) => a.error - b.error)
  const mean = rows.reduce((sum, { error }) => sum + Math.abs(error), 0) / rows.length
  const percent = (part: number) => `${(100 * part).toFixed(1)} %`
  console.log(`${rows.length} files, off by ${percent(mean)} on average`)
  for (const { file, error } of [...rows.slice(0, 3), ...rows.slice(-3)]) console.log(percent(error), file)
  const all = texts.map(({ text }) => text).join('\n')
  for (let round = 0; round < 3; round++) {
    const start = performance.now()
    estimate(all)
    console.log(`${(all.length / (performance.now() - start) / 1000).toFixed(0)} MB/s`)
  }
}

const languages = {
  English: 'en',
  Russian: 'ru',
  Arabic: 'ar',
  Hindi: 'hi',
  Thai: 'th',
  Chinese: 'zh',
  Japanese: 'ja',
  Korean: 'ko',
}

/**
 * Prints how far the estimate is off in each language. The texts are the names of regions and languages that Node
 * knows. To run it: `node bench/estimator.ts --scripts`.
 */
const reportScripts = async (): Promise<void> => {
  const exact = await loadTokenizer()
  const letters = Array.from({ length: 26 }, (_, i) => String.fromCharCode(65 + i))
  const codes = letters.flatMap((first) => letters.map((second) => first + second))
  for (const [name, language] of Object.entries(languages)) {
    const regions = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
    const tongues = new Intl.DisplayNames([language], { type: 'language', fallback: 'none' })
    const words = codes.flatMap((code) =>
      [regions.of(code) ?? [], tongues.of(code.toLowerCase()) ?? []].flat(),
    )
    const text = words.join(language === 'zh' || language === 'ja' ? '，' : ' ')
    console.log(`${name}: ${(100 * (estimate(text) / exact(text) - 1)).toFixed(0)} % too high`)
  }
}

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(
      (file) =>
        /\.(md|txt|sql|json|[cm]?[jt]s)$/.test(file) && !/bpeRanks|\bencoding\b|\/generated\//.test(file),
    )
    .map((file) => join(folder, file))

if (import.meta.main) {
  const [first, ...more] = process.argv.slice(2)
  if (first === '--write') writeFileSync(filterFile, await filterSource())
  else if (first === '--scripts') await reportScripts()
  else
    await report(
      first ? [first, ...more] : ['src', 'test', 'docs', 'content'].map((name) => join(root, name)),
    )
}
