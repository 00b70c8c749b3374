import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openProject } from '../src/index.ts'
import { taskId } from '../src/kernel/task-id.ts'

const root = join(import.meta.dirname, '..')

/**
 * Puts a project with this many tasks into a folder. The project is made only once. After that it is copied from a
 * cache in the system's temporary folder.
 */
export const placeProject = async (tasks: number, folder: string): Promise<void> => {
  const kept = join(tmpdir(), `cleo-bench-${fingerprint()}`, String(tasks))
  if (!existsSync(kept)) await make(tasks, kept)
  cpSync(kept, folder, { recursive: true })
}

/** A hash of what a cached project depends on: this file and the schema. */
const fingerprint = (): string => {
  const hash = createHash('sha256').update(readFileSync(import.meta.filename))
  const migrations = join(root, 'src/store/migrations/sqlite')
  for (const name of readdirSync(migrations).sort()) hash.update(readFileSync(join(migrations, name)))
  return hash.digest('hex').slice(0, 12)
}

const make = async (tasks: number, kept: string): Promise<void> => {
  mkdirSync(join(kept, '..'), { recursive: true })
  const draft = mkdtempSync(`${kept}.`)
  try {
    // Make a git repository, because most projects are in one, and every command searches for it.
    mkdirSync(join(draft, '.git', 'refs', 'heads'), { recursive: true })
    writeFileSync(join(draft, '.git', 'HEAD'), 'ref: refs/heads/main\n')
    const project = openProject({ project: draft, as: 'bench' })
    await must(project.call('admin.init', {}))
    for (let from = 0; from < tasks; from += batchSize)
      await must(project.call('tasks.add', { batch: plan(from, Math.min(tasks, from + batchSize)) }))
    await project.close()
    renameSync(draft, kept)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/**
 * Makes the checked-out branch point to an invented commit, because most projects have a commit. Without one, agents
 * would share a folder, and commands such as `next` would look for tasks that change no code. Writes the file of the
 * branch directly, because git would refuse an invented commit.
 */
export const nameCommit = (folder: string): void =>
  writeFileSync(join(folder, '.git', 'refs', 'heads', 'main'), `${'1'.repeat(40)}\n`)

export const placeSkills = (count: number, folder: string): void => {
  for (let n = 1; n <= count; n++) {
    const skill = join(folder, 'skills', `area-skill-${n}`)
    mkdirSync(skill, { recursive: true })
    writeFileSync(join(skill, 'SKILL.md'), skillText(n))
  }
}

const skillText = (n: number): string =>
  `---\nname: area-skill-${n}\ndescription: What to mind in area ${n}. Use for tasks there.\nmetadata:\n  tags: "part-${n}"\n  dispatch_triggers: "rework of area ${n}"\n---\n\n## Summary\n\nArea ${n}.\n\n## Core Rules\n\n${`- Mind what stands in rule ${n} of this area.\n`.repeat(60)}`

const must = async (answer: Promise<{ ok: boolean }>): Promise<void> => {
  const result = await answer
  if (!result.ok) throw new Error(JSON.stringify(result))
}

export const batchRows = (tasks: number): string =>
  plan(1, tasks + 1)
    .map((row) => `${JSON.stringify(row)}\n`)
    .join('')

const batchSize = 100_000

/**
 * Returns the tasks with the numbers from `from` to `to - 1`. Task 0 is the epic, and all others are below it.
 * Every thirtieth task has two subtasks. About an eighth of the tasks are ready. Most others depend on one or two
 * tasks shortly before them. Each task has a label, its own file and two criteria.
 */
const plan = (from: number, to: number): Row[] => {
  // Refer to rows of this batch by key, and to tasks of earlier batches by id.
  const nameOf = (n: number): string => (n < from ? taskId(n + 1) : `t${n}`)
  const rows: Row[] = from === 0 ? [{ key: 't0', title: 'Everything there is to do', type: 'epic' }] : []
  for (let n = Math.max(1, from); n < to; n++) {
    const part = n % 30
    const isPart = part === 1 || part === 2
    const parent = isPart && n > 30 ? n - part : 0
    const needed = isPart || n % 10 === 0 || n < 8 ? [] : n % 3 === 0 ? [n - 1, n - 7] : [n - 1]
    rows.push({
      key: `t${n}`,
      title: `Task number ${n} of the plan`,
      parent: nameOf(parent),
      description: `What is to be done in step ${n}, in a sentence or two.\n- [ ] it works\n- [ ] it is tested`,
      depends: needed.map(nameOf),
      labels: [`area-${n % 20}`],
      files: [`src/part-${n % 500}/file-${n}.ts`],
      priority: (['high', 'medium', 'low'] as const)[n % 3]!,
    })
  }
  return rows
}

interface Row {
  key: string
  title: string
  type?: 'epic'
  parent?: string
  description?: string
  depends?: string[]
  labels?: string[]
  files?: string[]
  priority?: 'high' | 'medium' | 'low'
}
