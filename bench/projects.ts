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

const root = join(import.meta.dirname, '..')

/** Puts a project with this many tasks into a folder. It is made once and cached in the temporary folder. */
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
    // Most projects are git repositories; searching for one is part of every command.
    mkdirSync(join(draft, '.git'))
    writeFileSync(join(draft, '.git', 'HEAD'), 'ref: refs/heads/main\n')
    const project = openProject({ project: draft, as: 'bench' })
    await must(project.call('admin.init', {}))
    await must(project.call('tasks.add', { batch: plan(tasks) }))
    await project.close()
    renameSync(draft, kept)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** Adds many skills to a project, as a user who collects them has. */
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

/**
 * An epic, tasks below it, every tenth with two subtasks; a tenth of them ready, the others waiting on one or two of the
 * tasks just before them. Each has a label, its own file and two criteria.
 */
const plan = (tasks: number) => {
  const rows: Row[] = [{ key: 'epic', title: 'Everything there is to do', type: 'epic' }]
  let parent = 'epic'
  for (let n = 1; n < tasks; n++) {
    const part = n % 30
    const isPart = part === 1 || part === 2
    if (part === 0) parent = `t${n}`
    rows.push({
      key: `t${n}`,
      title: `Task number ${n} of the plan`,
      parent: isPart ? parent : 'epic',
      description: `What is to be done in step ${n}, in a sentence or two.\n- [ ] it works\n- [ ] it is tested`,
      depends: isPart || n % 10 === 0 || n < 8 ? [] : waits(n),
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

const waits = (n: number): string[] => (n % 3 === 0 ? [`t${n - 1}`, `t${n - 7}`] : [`t${n - 1}`])
