import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { countingGit } from './counting-git.ts'
import { type Call, type Cost, succeed, type Trial } from './measure.ts'
import type { Programs } from './programs.ts'
import type { Row, Table } from './table.ts'

const few = 500
const many = 50_000
const rounds = 40
// Run few rounds in the large repository, because preparing the commit of a round takes longer than the measured
// command.
const roundsOfMany = 8

/**
 * Measures commands whose evidence comes from git. The first table is about spawns with a worktree. It leaves out
 * the time of the git processes, which is measured by running the same git commands one after the other. The last
 * table compares repositories of 50,000 and of 500 files with the same change. In these repositories the agents
 * work in the checkout, because a worktree of 50,000 files for each round would fill the memory.
 */
export const gitEvidence = (programs: Programs, folder: string): Table[] => {
  const own = settle(programs, join(folder, 'git-worktrees'), few, 'cleo')
  const small = settle(programs, join(folder, 'git-small'), few, 'none')
  const large = settle(programs, join(folder, 'git-large'), many, 'none')
  const processes = allProcesses(own)
  const inShared = allProcesses(small)
  const inOwn = measure(programs, own, processes, rounds)
  const ofSmall = measure(programs, small, inShared, rounds)
  const ofLarge = measure(programs, large, inShared, roundsOfMany)
  const names = (all: readonly GitProcess[]) => all.map(({ name }) => name).join(', ')
  return [
    {
      heading: 'times a bare read, without the git processes',
      rows: [
        row('verify --gate implemented', without(inOwn.verify, inOwn.gitOfVerify), inOwn.read),
        row('complete, git evidence', without(inOwn.complete, inOwn.gitOfComplete), inOwn.read),
        row('finish, git evidence', without(inOwn.finish, inOwn.gitOfFinish), inOwn.read),
      ],
    },
    {
      heading: `git processes (verify: ${names(processes.verify)}; complete: ${names(processes.complete)}; finish: ${names(processes.finish)})`,
      rows: [
        { name: 'git processes of verify', values: [processes.verify.length] },
        { name: 'git processes of complete', values: [processes.complete.length] },
        { name: 'git processes of finish', values: [processes.finish.length] },
      ],
    },
    {
      heading: '50,000 files / 500, with the same change',
      rows: [
        row('verify, files', ofLarge.verify, ofSmall.verify),
        row('the git processes of verify, files', ofLarge.gitOfVerify, ofSmall.gitOfVerify),
        row('complete, files', ofLarge.complete, ofSmall.complete),
        row('the git processes of complete, files', ofLarge.gitOfComplete, ofSmall.gitOfComplete),
        row('verify of 50,000 files / its git processes', ofLarge.verify, ofLarge.gitOfVerify),
      ],
    },
  ]
}

/** Lower quartiles, in milliseconds. */
interface Time {
  wall: number
  cpu: number
}

const row = (name: string, cost: Time, floor: Time): Row => ({
  name,
  values: [cost.wall / floor.wall],
  cpu: [cost.cpu / floor.cpu],
})

const without = (cost: Time, part: Time): Time => ({ wall: cost.wall - part.wall, cpu: cost.cpu - part.cpu })

interface Shop {
  cleo: string
  at: { cwd: string; env: Record<string, string> }
  say(...words: string[]): string
  git(...words: string[]): void
  /** `cleo` if each spawn has its own worktree, `none` if all spawns work in the checkout. */
  worktrees: 'cleo' | 'none'
  begun: number
  /** The folder of the last spawn. */
  work: string
}

/** Creates a repository of small files. Its project requires evidence from git. */
const settle = ({ cleo }: Programs, folder: string, files: number, worktrees: Shop['worktrees']): Shop => {
  for (let n = 0; n < files; n++) {
    const at = join(folder, 'src', `part-${n % 500}`)
    if (n < 500) mkdirSync(at, { recursive: true })
    writeFileSync(join(at, `file-${n}.ts`), `export const value = ${n}\n`)
  }
  mkdirSync(join(folder, '.cleo'))
  writeFileSync(
    join(folder, '.cleo', 'config.json'),
    JSON.stringify({
      gates: { required: { implementation: ['implemented'] } },
      worktrees: { by: worktrees },
    }),
  )
  writeFileSync(join(folder, '.gitignore'), '.home/\n')
  const env = { PATH: process.env['PATH'] ?? '', HOME: join(folder, '.home'), USER: 'bench' }
  const at = { cwd: folder, env }
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.invalid', '-c', 'gc.auto=0']
  const git = (...words: string[]): void => {
    const { status, stderr } = spawnSync('git', [...author, ...words], { ...at, encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
  }
  const say = (...args: string[]) => succeed({ program: cleo, args, ...at }).trim()
  git('init', '--quiet')
  say('init')
  say('trust', '--yes')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'first')
  say('add', 'Everything', '--type', 'epic', '--description', 'All of it.')
  return { cleo, at, say, git, worktrees, begun: 0, work: folder }
}

/** Adds and spawns a task, commits a change of one file and its test, and writes the output file. */
const worked = (shop: Shop): { id: string; as: string[]; file: string } => {
  const { say, git } = shop
  const part = `src/part-${shop.begun % 500}/file-${shop.begun % 500}`
  const [file, test] = [`${part}.ts`, `${part}.test.ts`]
  shop.begun++
  const words = ['--parent', 'T001', '--description', 'Change one file.', '--field', 'id']
  const id = say('add', `Change ${shop.begun}`, ...words)
  const as = ['--as', say('orchestrate', 'spawn', id, '--ref', '--field', 'spawnId')]
  say('focus', 'set', id, ...as)
  if (shop.worktrees === 'cleo') shop.work = say('show', id, '--field', 'spawn.folder')
  const { work } = shop
  writeFileSync(join(work, file), `export const value = 'changed ${shop.begun}'\n`)
  writeFileSync(join(work, test), `expect(value).toBe('changed ${shop.begun}')\n`)
  git('-C', work, 'add', file, test)
  git('-C', work, 'commit', '--quiet', '--message', `Change\n\nTask: ${id}`)
  const path = say('output', 'new', id, '--field', 'path', ...as)
  writeFileSync(path, readFileSync(path, 'utf8').replace('## Summary\n', '## Summary\n\nChanged.\n'))
  return { id, as, file }
}

const submitted = (shop: Shop) => {
  const work = worked(shop)
  shop.say('manifest', 'append', '--status', 'complete', '--finding', 'It is changed.', ...work.as)
  return work
}

const verify = (shop: Shop): Trial => ({
  name: 'verify',
  call: () => {
    const { id, as, file } = submitted(shop)
    const args = ['verify', id, '--gate', 'implemented', '--evidence', `commit:HEAD;files:${file}`, ...as]
    return { program: shop.cleo, args, ...shop.at }
  },
})

const complete = (shop: Shop): Trial => ({
  name: 'complete',
  call: () => {
    const { id, as, file } = submitted(shop)
    shop.say('verify', id, '--gate', 'implemented', '--evidence', `commit:HEAD;files:${file}`, ...as)
    return { program: shop.cleo, args: ['complete', id, ...as], ...shop.at }
  },
})

/** `finish` runs no tools here, because the only gate is `implemented`, and git proves that gate. */
const finish = (shop: Shop): Trial => ({
  name: 'finish',
  call: () => {
    const { id, as } = worked(shop)
    return { program: shop.cleo, args: ['finish', id, '--finding', 'It is changed.', ...as], ...shop.at }
  },
})

interface GitProcess {
  /** The git command, such as `ls-files`. */
  name: string
  args: string[]
  /** Whether the command reads names of objects from standard input. */
  reads: boolean
}

const allProcesses = (shop: Shop) => ({
  verify: processesOf(shop, verify(shop)),
  complete: processesOf(shop, complete(shop)),
  finish: processesOf(shop, finish(shop)),
})

/** Runs a command once, with a `git` in PATH that logs its arguments. */
const processesOf = (shop: Shop, { call }: Trial): GitProcess[] => {
  // The folder is outside the repository, because CLEO refuses a git that is inside it.
  const folder = `${shop.at.cwd}-counting`
  const counting = countingGit(folder)
  const measured = call(0)
  succeed({ ...measured, env: { ...measured.env, PATH: `${folder}:${measured.env['PATH']}` } })
  return counting
    .calls()
    .map(({ name, args }) => ({ name, args, reads: args.some((arg) => arg.startsWith('--batch-check')) }))
}

const measure = (
  { clock, read }: Programs,
  shop: Shop,
  processes: ReturnType<typeof allProcesses>,
  times: number,
) => {
  const names = join(shop.at.cwd, '.home', 'names')
  mkdirSync(join(names, '..'), { recursive: true })
  writeFileSync(names, 'HEAD^{tree}\nHEAD^{commit}\n')
  const trials: Trial[] = [
    {
      name: 'bare read',
      call: () => ({ program: read, args: [join('.cleo', 'cleo.db'), 'T001'], ...shop.at }),
    },
    verify(shop),
    complete(shop),
    finish(shop),
    ...[...processes.verify, ...processes.complete, ...processes.finish].map(({ name, args, reads }) => ({
      name,
      call: (): Call => ({
        program: 'git',
        args: here(args, shop.work),
        ...shop.at,
        ...(reads && { input: names }),
      }),
    })),
  ]
  const [floor, verified, completed, finished, ...git] = clock.interleave(trials, times)
  const time = ({ wall, cpu }: Cost): Time => ({ wall: wall[0], cpu: cpu[0] })
  const sum = (costs: readonly Cost[]): Time =>
    costs.reduce((total, { wall, cpu }) => ({ wall: total.wall + wall[0], cpu: total.cpu + cpu[0] }), {
      wall: 0,
      cpu: 0,
    })
  const completeAt = processes.verify.length
  const finishAt = completeAt + processes.complete.length
  return {
    read: time(floor!),
    verify: time(verified!),
    complete: time(completed!),
    finish: time(finished!),
    gitOfVerify: sum(git.slice(0, completeAt)),
    gitOfComplete: sum(git.slice(completeAt, finishAt)),
    gitOfFinish: sum(git.slice(finishAt)),
  }
}

/** Returns a logged git command, changed so that it runs in another repository and on the last commit there. */
const here = (args: readonly string[], folder: string): string[] =>
  args.map((arg) => {
    if (arg.startsWith('--git-dir=')) return `--git-dir=${folder}/.git`
    if (arg.startsWith('--work-tree=')) return `--work-tree=${folder}`
    return /^[0-9a-f]{40}\.\.HEAD$/.test(arg) ? 'HEAD~1..HEAD' : arg
  })
