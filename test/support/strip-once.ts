import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'

// This file is loaded with `--import` in the workers that run tests in copies of the sources. Node needs half a
// second of processor time to remove the types from all files that one test imports. Almost all files are the same
// in every copy, so each text is converted only once.
const stripped = new Map<string, string>()

registerHooks({
  load(url, context, next) {
    if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context)
    const source = readFileSync(fileURLToPath(url), 'utf8')
    const known = stripped.get(source) ?? stripTypeScriptTypes(source)
    stripped.set(source, known)
    return { format: 'module', source: known, shortCircuit: true }
  },
})
