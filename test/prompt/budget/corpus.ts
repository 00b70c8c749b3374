import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')

/** Prose and code of this repository, from files that are long enough to be counted. */
export const corpus = ['src', 'test', 'scripts', 'docs', 'content', 'conformance']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  .filter((file) => /\.(md|ts|sql)$/.test(file) && !/generated|fixtures|odd-texts/.test(file))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
  .filter(({ text }) => text.length >= 500)
