import { join } from 'node:path'
import type { Host } from '../../host/host.ts'
import { which } from '../../host/programs.ts'
import { removeDraft, runEditor } from '../../host/run-editor.ts'
import { isTerminal } from '../../host/standard-streams.ts'
import { mergeTexts } from '../../kernel/merge-texts.ts'
import { isBelow } from '../../kernel/path.ts'
import { type Failure, fail, type Problem, Refused, type Result } from '../../kernel/result.ts'
import type { Operation } from '../../operation/operation.ts'
import type { Connection } from '../../perform/connection.ts'
import { type Caller, perform } from '../../perform/perform.ts'
import { shellQuote } from '../../print/shell-quote.ts'
import { readDocument } from '../../task-edits/task-document.ts'
import type { Terminal } from '../../terminal/terminal.ts'

type EditInput = Record<string, unknown>

/**
 * The text is opened again at most this many times. Without this limit, an editor program that never saves a valid
 * text would be started forever.
 */
const mostTries = 20

/**
 * Lets a person edit the document of an operation, and stores the edited text. If the text has problems, opens it again
 * with each problem above its line. If others changed the task meanwhile, opens the text again with their changes
 * merged in. If the text is not stored, keeps it in a file.
 */
export const editText = async (...given: Parameters<typeof editedText>): Promise<Result<unknown>> => {
  try {
    return await editedText(...given)
  } catch (error) {
    // The draft could not be written. For example, the disk is full or the folder is read-only. `perform` does not
    // catch this refusal, because drafts are written outside operations.
    if (error instanceof Refused) return error.failure
    throw error
  }
}

const editedText = async (
  operation: Operation,
  input: EditInput,
  command: string,
  connection: Connection,
  caller: Caller,
  { host, terminal }: { host: Host; terminal: Terminal },
): Promise<Result<unknown>> => {
  const call = (more: EditInput) => perform(operation, { ...input, ...more }, connection, caller)
  const first = await call({})
  if (!first.ok) return first
  const editor = editorOf(host)
  if (!editor) return fail('editor.missing', { fix: withFlags(command) })
  const { folder, root } = await connection.project()
  const draft = draftIn(host, folder, String(input['id'] ?? 'new'), input['draft'])
  if ('ok' in draft) return draft
  const { place, from } = draft
  const { files } = host
  const original = (first.value as { document: string }).document
  let base = (from === undefined ? undefined : files.read(`${from}.base`)) ?? original
  let opened = (from === undefined ? undefined : files.read(from)) ?? original
  const goOn = `${command} --draft ${shellQuote(place)}`
  const keep = (why: string, problems: Problem[] = []): Failure => {
    if (opened === original) {
      removeDraft(place)
      return fail('editor.failed', { editor, why, fix: withFlags(command) })
    }
    files.replace(place, opened, 0o600)
    return fail('edit.kept', { why: `The editor "${editor}" ${why}.`, problems, fix: goOn, path: place })
  }
  let last: Failure | undefined
  for (let tries = 0; ; tries++) {
    files.replace(place, opened, 0o600)
    files.replace(`${place}.base`, base, 0o600)
    await terminal.flush?.()
    const failed = runEditor(editor, place, root)
    const saved = files.kind(place) === 'file' ? files.read(place)! : ''
    const isText = !saved.includes('\0') && !saved.includes('\uFFFD')
    if (failed) {
      if (isText && saved.trim() !== '') opened = saved
      return keep(failed)
    }
    if (!isText)
      return fail('edit.kept', { why: 'The saved file is not text.', problems: [], fix: goOn, path: place })
    if (readDocument(saved).isEmpty) {
      if (last || opened !== original) return keep('saved an empty text')
      removeDraft(place)
      return {
        ok: true,
        value: { ...(input['id'] ? { id: String(input['id']), changed: [] } : {}), noChange: true },
      }
    }
    if (saved === opened && (last || tries >= mostTries)) return given(last!, place, goOn)
    const result = await call({ text: saved, ...(input['id'] !== undefined && { base }) })
    if (result.ok) {
      if (!caller.dryRun) removeDraft(place)
      return result
    }
    last = result
    opened = saved
    if (result.code === 'edit.conflict') {
      const theirs = await call({})
      if (!theirs.ok) return given(theirs, place, goOn)
      const now = (theirs.value as { document: string }).document
      const { text, conflicts } = mergeTexts(base, withoutRemarks(saved), now)
      base = now
      const hint = conflicts > 0 ? 'Choose between the marked lines below' : 'The text below has both changes'
      opened = `# ✗ ${result.message} ${hint}. Then save it again.\n${text}`
      // Allow the person to save the merged text unchanged.
      if (conflicts === 0) last = undefined
      terminal.err(`${result.message}\n`)
    } else if (result.problems?.some(({ path }) => path.startsWith('line ')))
      opened = remarked(saved, result.problems)
    else return given(result, place, goOn)
    if (tries >= mostTries) return given(result, place, goOn)
  }
}

/**
 * Returns the command of the editor that the user has set. If the user has set none and this is a terminal, returns
 * an installed editor.
 */
const editorOf = (host: Host): string | undefined => {
  const set = host.env['VISUAL'] || host.env['EDITOR']
  if (set) return set
  return isTerminal(0) && isTerminal(1) ? present(host) : undefined
}

const present = (host: Host): string | undefined =>
  ['sensible-editor', 'nano', 'vi'].find((name) => which(host, name, host.cwd) !== undefined)

const withFlags = (command: string): string =>
  command.startsWith('cleo add') ? 'cleo add --help' : 'cleo update --help'

/**
 * Returns two paths:
 * - `place`: the file to edit. It is always in CLEO's folder of drafts, because CLEO removes it after storing its text.
 * - `from`: an earlier draft, if the person continues with one. If it is outside the folder of drafts, it is kept, and
 *   its text is copied to `place`.
 */
const draftIn = (
  host: Host,
  folder: string,
  name: string,
  draft: unknown,
): { place: string; from?: string } | Failure => {
  const { files } = host
  const from = typeof draft === 'string' ? join(draft.startsWith('/') ? '' : host.cwd, draft) : undefined
  if (from !== undefined) {
    if (files.kind(from) !== 'file')
      return fail('file.unreadable', { path: from, reason: 'there is no such file' })
    if (isBelow(`${files.realPath(folder)}/edits`, files.realPath(from))) return { place: from, from }
  }
  for (let n = 1; ; n++) {
    const place = `${folder}/edits/${name}${n === 1 ? '' : `-${n}`}.md`
    if (files.kind(place) === undefined) return { place, ...(from !== undefined && { from }) }
  }
}

/** Does not suggest further editing if the caller may not change the task. */
const given = (refusal: Failure, place: string, goOn: string): Failure => ({
  ...refusal,
  ...(refusal.exit !== 64 && { fix: goOn }),
  alternatives: [`Nothing was changed; your text is in ${place}.`],
})

const isRemark = (line: string): boolean => line.startsWith('# ✗ ')

const withoutRemarks = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !isRemark(line))
    .join('\n')

/**
 * Adds each problem as a comment above the line that has the problem. If the line is in the description, adds the
 * comment above the whole description.
 */
const remarked = (text: string, problems: readonly Problem[]): string => {
  const lines = text.split('\n')
  const found = lines.findIndex((line) => /^description:/i.test(line.trim()))
  const last = found < 0 ? lines.length : found + 1
  const remarks = new Map<number, string[]>()
  for (const { path, message, fix } of problems) {
    const line = path.startsWith('line ') ? Number.parseInt(path.slice(5), 10) : 1
    const at = Math.min(Math.max(line, 1), last)
    const inside = line > last ? `${path}: ` : ''
    remarks.set(at, [...(remarks.get(at) ?? []), `# ✗ ${inside}${message}${fix ? ` (${fix})` : ''}`])
  }
  return lines
    .flatMap((line, i) => [...(remarks.get(i + 1) ?? []), ...(isRemark(line) ? [] : [line])])
    .join('\n')
}
