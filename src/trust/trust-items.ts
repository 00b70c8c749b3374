import * as v from 'valibot'
import { readInside } from '../host/safe-read.ts'
import { sha256 } from '../host/sha256.ts'
import type { Style } from '../kernel/style.ts'
import { formatMinute, iso } from '../kernel/time.ts'
import type { Project } from '../operation/context.ts'
import { configItems, removedSettings } from '../project/settings.ts'
import { isKnown, key, stateOf, type Trustable, trustedSince, trustKinds } from '../project/trust-records.ts'
import { hookFileItems } from '../project-commands/hook-files.ts'
import { detectedItems, isDetected } from '../project-commands/project-commands.ts'
import { readHead } from '../skills/skill-fields.ts'
import { readInFull } from '../terminal/read-in-full.ts'
import { setUpItems } from '../worktrees/set-up-trust.ts'
import { sizeText, skillItems } from './skill-items.ts'

export const trustItem = () =>
  v.object({
    kind: v.picklist(trustKinds),
    name: v.string(),
    what: v.string(),
    state: v.picklist(['trusted', 'allowed', 'changed', 'new', 'removed']),
    /** When a person trusted the item in its present form. */
    since: v.optional(v.string()),
  })
type TrustItem = v.InferOutput<ReturnType<typeof trustItem>>

/** Returns everything in the project that CLEO uses only after a person has trusted it. */
export const findTrustables = async (project: Project): Promise<Trustable[]> => [
  ...configItems(project),
  ...hookFileItems(project, project.written),
  ...(await commandItems(project)),
  ...(await skillItems(project)),
  ...(await protocolTemplates(project)),
]

/** If a detected command and the set-up of worktrees run the same program, returns only one item for the program. */
const commandItems = async (project: Project): Promise<Trustable[]> => {
  const items = [...(await detectedItems(project)), ...(await setUpItems(project))]
  return [...new Map(items.map((item) => [key(item), item])).values()]
}

const mostTemplateBytes = 256 * 1024

/** Returns the files `protocols/<name>.md` whose front matter has `cleo-template: true`. */
const protocolTemplates = async ({ host, root }: Project): Promise<Trustable[]> => {
  const found: Trustable[] = []
  for (const file of host.files.list(`${root}/protocols`).filter((name) => name.endsWith('.md'))) {
    const name = `protocols/${file}`
    const read = readInside(root, name, mostTemplateBytes)
    if (!read.ok) continue
    const head = await readHead(read.text)
    const field = head.ok && (head.fields.get('cleo-template') ?? head.fields.get('metadata.cleo-template'))
    if (field && field.text === 'true')
      found.push({
        kind: 'template',
        name,
        what: sizeText(Buffer.byteLength(read.text)),
        sha256: sha256(read.text),
      })
  }
  return found
}

/**
 * Gives each item its state and, if it is trusted, the time at which a person trusted it. If a person made the project
 * on this machine, CLEO runs detected commands that no person has trusted. Such a command gets the state `allowed` in
 * place of `new`. But if a person trusted another version of the command, it keeps the state `changed`.
 */
export const withTrustState = (project: Project, items: readonly Trustable[]): TrustItem[] => {
  const state = stateOf(project)
  const since = trustedSince(project)
  const known = isKnown(project)
  return [
    ...items.map((item) => {
      const { kind, name, what } = item
      const at = since(item)
      const isAllowed = state(item) === 'new' && known && isDetected(item)
      return {
        ...{ kind, name, what },
        state: isAllowed ? ('allowed' as const) : state(item),
        ...(at !== undefined && { since: iso(at) }),
      }
    }),
    ...removedSettings(project).map(({ item: { kind, name, what } }) => ({
      ...{ kind, name, what },
      state: 'removed' as const,
    })),
  ]
}

const uses: Record<TrustItem['kind'], string> = {
  setting: 'changes how CLEO works in this project',
  hook: 'CLEO runs it after events, such as a completed task',
  command: 'CLEO runs it to check work: verify, finish, receive, land',
  worktree: 'CLEO runs or copies it in each new worktree',
  skill: 'becomes part of the prompts of agents',
  template: 'becomes part of the prompts of agents, with its commands',
}

const meanings: Record<TrustItem['state'], string> = {
  trusted: 'is in use; if it changes, it needs your trust again',
  allowed: 'runs already, because you made this project; once you trust it, CLEO refuses changed versions',
  changed: 'differs from what you trusted, so it has no effect now',
  new: 'has no effect until you trust it',
  removed: 'you trusted it, but someone else removed it from the configuration',
}

/** Breaks the lines before it adds colour to the state, because `readInFull` would count the colour codes. */
const headLines = (state: TrustItem['state'], about: string, style: Style): string[] => {
  const [first = '', ...more] = readInFull(`${state} ${about}`, '', style.width)
  if (!first.startsWith(state)) return [first, ...more]
  const painted = state === 'trusted' ? style.green(state) : style.yellow(state)
  return [painted + first.slice(state.length), ...more]
}

export const drawTrustItems = (items: readonly TrustItem[], style: Style): string[] => {
  if (items.length === 0) return [style.dim('This project has nothing that needs trust.')]
  const drawn = items.flatMap(({ kind, name, what, state, since }) => [
    ...headLines(state, `${kind} ${name}${since ? ` · since ${formatMinute(since)}` : ''}`, style),
    ...readInFull(what, '    ', style.width),
  ])
  const explained = [
    ...trustKinds
      .filter((kind) => items.some((item) => item.kind === kind))
      .map((kind) => [kind, uses[kind]]),
    ...Object.entries(meanings).filter(([state]) => items.some((item) => item.state === state)),
  ]
  return [
    ...drawn,
    '',
    ...explained.flatMap(([word, about]) => readInFull(`${word}: ${about}`, '  ', style.width)),
  ]
}

/** Returns a short hash of these items, so that `--yes` trusts only what a person was shown. */
export const digestOf = (items: readonly Trustable[]): string =>
  sha256(JSON.stringify(items.map((item) => [key(item), item.what, item.sha256 ?? '']))).slice(0, 16)
