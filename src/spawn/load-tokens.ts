import type { Files } from '../host/host.ts'
import { childEnvironment } from '../host/programs.ts'
import { sha256 } from '../host/sha256.ts'
import { trustAdvice } from '../kernel/actor.ts'
import { normalised } from '../kernel/text.ts'
import { embedded, headingDepth } from '../markdown/headings.ts'
import type { Project } from '../operation/context.ts'
import { tokenCommandState } from '../project/trust-records.ts'
import { scan } from '../prompt/tokens/scan.ts'
import {
  commandKey,
  type IncludedFile,
  type LoadedNeeds,
  limits,
  needsOf,
  type Output,
  type Reference,
  type Source,
} from '../prompt/tokens/source.ts'

/**
 * Loads what the tokens of a template need: files, globs and command outputs. If the template includes other templates,
 * also loads what the tokens of those templates need. Reads and runs nothing else. Files that are loaded as data are
 * not scanned for tokens.
 */
export const loadNeeds = async (
  project: Pick<Project, 'host' | 'root' | 'config' | 'actor' | 'dryRun'>,
  source: Source,
): Promise<LoadedNeeds> => {
  const references = new Map<string, Reference>()
  const commands = new Map<string, Output>()
  const room = { bytes: limits.allBytes }
  const tokens = scan(source.text)
  let scanned = source.kind === 'template' ? [tokens] : []
  for (let depth = 0; depth <= limits.depth && scanned.length > 0; depth++) {
    const included: string[] = []
    for (const needs of scanned.map(needsOf)) {
      for (const path of needs.references) {
        if (references.has(path)) continue
        const reference =
          references.size < limits.files
            ? await loadReference(project, source, path, room)
            : tooManyFiles(path)
        references.set(path, reference)
        for (const { template, text } of reference.pieces) if (template) included.push(text)
      }
      for (const words of needs.commands) {
        const key = commandKey(words)
        if (!commands.has(key))
          commands.set(
            key,
            commands.size < limits.commands ? await runCommand(project, source, words) : tooManyCommands,
          )
      }
    }
    scanned = included.map(scan)
  }
  return { tokens, references, commands }
}

const tooManyFiles = (path: string): Reference => ({
  pieces: [],
  left: [{ path, why: `is beyond the limit of ${limits.files} files` }],
})
const tooManyCommands: Output = { ok: false, why: `more than ${limits.commands} commands` }

/** The number of bytes that the tokens of a source may still load. */
interface ByteBudget {
  bytes: number
}

/** Looks in the source's own folder first, then in the project. */
export const loadReference = async (
  { host, root }: Pick<Project, 'host' | 'root'>,
  { folder, where, trusted }: Source,
  path: string,
  room: ByteBudget,
): Promise<Reference> => {
  if (folder !== undefined) {
    const own = await read(host.files, folder, path, room)
    const name = (file: string) => where.slice(0, where.lastIndexOf('/') + 1) + file
    if (own)
      return {
        pieces: own.pieces.map((piece) => ({
          ...piece,
          path: name(piece.path),
          ...(isTemplate(piece) && { template: true, text: embedded(piece.text, headingDepth) }),
        })),
        left: own.left,
      }
  }
  if (!trusted) return leftOut(path, 'is outside the folder of the template, and the template is not trusted')
  return (await read(host.files, root, path, room)) ?? leftOut(path, 'does not exist')
}

const isTemplate = ({ path }: IncludedFile): boolean => path.endsWith('.md')

const leftOut = (path: string, why: string): Reference => ({ pieces: [], left: [{ path, why }] })

/** Undefined if no file matches. */
const read = async (
  files: Files,
  folder: string,
  path: string,
  room: ByteBudget,
): Promise<Reference | undefined> => {
  const found = path.includes('*')
    ? await files.findInside(folder, path, limits.entries)
    : { ok: true as const, paths: [path] }
  if (!found.ok) return found.missing ? undefined : leftOut(path, found.why)
  if (found.paths.length > limits.files)
    return leftOut(path, `matches ${found.paths.length} files, more than ${limits.files}`)
  const pieces: IncludedFile[] = []
  const left: { path: string; why: string }[] = []
  let bytes = 0
  for (const each of found.paths) {
    const file = await files.readInside(folder, each, limits.fileBytes)
    if (!file.ok) {
      if (!file.missing) left.push({ path: each, why: file.why })
      continue
    }
    bytes += file.bytes
    if (bytes > limits.globBytes) return leftOut(path, `is more than ${limits.globBytes / 1024} KiB in all`)
    pieces.push({
      path: file.path,
      text: normalised(file.text),
      sha256: sha256(file.text),
      template: false,
    })
  }
  if (bytes > room.bytes) return leftOut(path, 'does not fit into the remaining space')
  room.bytes -= bytes
  return pieces.length + left.length > 0 ? { pieces, left } : undefined
}

const runCommand = async (
  project: Pick<Project, 'host' | 'root' | 'config' | 'actor' | 'dryRun'>,
  { trusted }: Source,
  words: readonly string[],
): Promise<Output> => {
  const { host, root, config } = project
  const [program, ...args] = words
  if (!trusted) return failedOutput('the template is not trusted')
  if (!program) return failedOutput('it is not a program with arguments')
  if (!config.tokens?.commands?.includes(program)) return failedOutput(`${program} is not in tokens.commands`)
  // Refuse a command that contains tokens: the value of a token must never become an argument of a program.
  if (words.some((word) => scan(word).length > 0))
    return failedOutput('tokens are not filled in inside a command')
  const state = tokenCommandState(project, program)
  if (state === 'new') return failedOutput(`${program} is not trusted; ${trustAdvice(project)}`)
  if (state === 'changed')
    return failedOutput(`${program} has changed since it was trusted; ${trustAdvice(project)}`)
  if (project.dryRun)
    return { ok: true, text: `(output of ${words.join(' ')}, which a dry run does not run)` }
  const ran = await host.processes.run(program, args, {
    cwd: root,
    env: childEnvironment(host.env),
    input: '',
    timeoutMs: limits.commandSeconds * 1000,
    maxBytes: limits.commandBytes,
    keep: 'output',
  })
  switch (ran.end) {
    case 'not started':
      return failedOutput(`it did not start: ${ran.reason}`)
    case 'timed out':
      return failedOutput(`it took longer than ${limits.commandSeconds} s`)
    case 'cancelled':
      return failedOutput('it was cancelled')
    case 'overran':
      return failedOutput(`it wrote more than ${limits.commandBytes / 1024} KiB`)
  }
  if (ran.code !== 0) return failedOutput(`it failed with exit ${ran.code}`)
  return ran.tail.includes('\0')
    ? failedOutput('it wrote something that is not text')
    : { ok: true, text: normalised(ran.tail).trimEnd() }
}

const failedOutput = (why: string): Output => ({ ok: false, why })
