import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { data, executable, type Ran, start } from '../support/cleo.ts'
import { withTemp } from '../support/temp.ts'
import { git, type HonestProject, honestProjects, put } from './honest-projects.ts'

/** The shell of a person or of an agent. It finds cleo and the tools of this machine. */
interface Shell {
  folder: string
  env: Record<string, string>
  cleo(...args: string[]): Promise<Ran>
  sh(line: string): Promise<Ran>
}

const author = ['GIT_AUTHOR_NAME', 'GIT_COMMITTER_NAME', 'GIT_AUTHOR_EMAIL', 'GIT_COMMITTER_EMAIL']

/** Tools in the home folder of the user who runs the tests. These variables make them work with another HOME. */
const toolHomes = { RUSTUP_HOME: '.rustup', CARGO_HOME: '.cargo', PYENV_ROOT: '.pyenv' }

const shellIn = (folder: string, home: string, path?: string): Shell => {
  const env = {
    PATH: [...(path ? [join(folder, path)] : []), dirname(executable.command[0]), process.env['PATH']].join(
      ':',
    ),
    HOME: home,
    USER: 'ada',
    ...Object.fromEntries(
      Object.entries(toolHomes).map(([name, usual]) => [
        name,
        process.env[name] ?? join(process.env['HOME'] ?? '/', usual),
      ]),
    ),
    ...Object.fromEntries(author.map((name) => [name, 'agent@example.invalid'])),
  }
  return {
    folder,
    env,
    cleo: (...args) => start(executable, args, { cwd: folder, env }),
    sh: (line) =>
      new Promise((resolve) =>
        execFile('sh', ['-c', line], { cwd: folder, env }, (error, stdout, stderr) =>
          resolve({ exit: error ? Number(error.code ?? -1) : 0, stdout, stderr }),
        ),
      ),
  }
}

const isInstalled = (words: readonly string[]): boolean =>
  spawnSync(words[0]!, words.slice(1), { stdio: 'ignore', cwd: '/' }).status === 0

/** Makes the project as a person does, and spawns one task. */
const open = async (project: HonestProject, temp: string) => {
  const folder = join(temp, 'shop')
  const home = join(temp, 'home')
  mkdirSync(home)
  put(folder, project.files)
  if (project.git !== false) {
    git(folder, 'init', '-q', '-b', 'main')
    git(folder, 'add', '-A')
    git(folder, 'commit', '-qm', 'Begin')
  }
  const shell = shellIn(folder, home, project.path)
  const { cleo } = shell
  return { shell, cleo, folder, ask: async <T>(...args: string[]) => data<T>(await cleo(...args)) }
}

const plan = async (project: HonestProject, ask: <T>(...args: string[]) => Promise<T>) => {
  const { detected } = await ask<{ detected: { commands: { tool: string; what: string }[] } }>('init')
  // `init` also trusts the programs of a virtual environment. Leave them out: only commands are compared.
  const tools = detected.commands.filter(({ tool }) => /^(?:test|lint|build|typecheck|audit)$/.test(tool))
  await ask('add', 'Arithmetic', '--type', 'epic', '--description', 'Calculate.')
  const files = Object.keys(project.work)
  const words = ['--description', 'Write plus with a test.', '--acceptance', 'plus(1, 2) is 3']
  await ask('add', 'Write plus', '--parent', 'T001', ...words, '--files', files.join(','))
  const { promptFile } = await ask<{ promptFile: string }>('spawn', 'T002', '--ref')
  return {
    prompt: readFileSync(promptFile, 'utf8'),
    trusted: Object.fromEntries(tools.map(({ tool, what }) => [tool, what])),
  }
}

/** Returns the worktree that a prompt names. */
const workFolder = (prompt: string): string | undefined => /^Work in +(\/\S+)/m.exec(prompt)?.[1]

/** Returns the commands of a prompt, in order. */
const commandsIn = (prompt: string): string[] =>
  prompt
    .slice(prompt.indexOf('## Output Requirements'))
    .split('\n')
    .flatMap((line) => /^(?:First|Before|Last): +(cleo .*?)(?: +#.*)?$/.exec(line)?.[1] ?? [])

/** Does only what the prompt says: runs its commands, with the placeholders filled in. Returns the return line. */
const followPrompt = async (
  { sh, folder: root }: Shell,
  prompt: string,
  project: HonestProject,
): Promise<string> => {
  const folder = workFolder(prompt) ?? root
  const must = async (line: string): Promise<string> => {
    const { exit, stdout, stderr } = await sh(`cd '${folder}' && ${line}`)
    expect(exit, `${project.name}: ${line}\n${stdout}${stderr}`).toBe(0)
    return stdout.trim()
  }
  const proof = Object.keys(project.work).at(-1)!
  const [first, ...others] = commandsIn(prompt)
  expect(first).toContain('cleo focus set')
  const output = /^ *output: (\/.*)$/m.exec(await must(first!))![1]!
  put(folder, project.work)
  // The skill in the prompt says that the agent has to run all checks.
  if (project.commands['test']) await must(project.commands['test'].split(' → ')[0]!)
  if (prompt.includes('Commit everything but the report')) {
    const inside = project.commitFirst
    const commit = '-m "Write plus" -m "Task: T002"'
    if (inside) await must(`git -C ${inside} add -A && git -C ${inside} commit -q ${commit}`)
    await must(
      `git add ${Object.keys(project.work)
        .map((path) => (inside && path.startsWith(inside) ? inside : path))
        .join(' ')} && git commit -q ${commit}`,
    )
  }
  fillIn(output)
  // The protocol names the flag for work without tests.
  const flag = /say why \(`(--no-tests)`\)/.exec(prompt)![1]
  const noTests = project.noTests ? ` ${flag} "${project.noTests}"` : ''
  for (const line of others) {
    const filled = line
      .replace('"<what others need to know>"', '"Plus adds two numbers."')
      .replaceAll('<paths>', proof)
    await must(`${filled}${noTests}`)
  }
  return /^Implementation complete\..*$/m.exec(prompt)![0]
}

const fillIn = (path: string): void =>
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace('## Summary\n', '## Summary\n\nplus adds two numbers.\n'),
  )

/** Tests the pins of a project whose tool is missing. CLEO judges the command before it runs anything. */
const judge = async ({ sh }: Shell, folder: string, { pinned, name }: HonestProject): Promise<void> => {
  const line = 'cleo verify T002 --gate testsPassed --evidence "tool:test" --as T002.1'
  const before = await sh(line)
  expect(before.stderr, name).toContain('could not be started')
  put(folder, { [pinned![0]]: pinned![1] })
  const after = await sh(line)
  expect(after.stderr, name).toContain('the command for test was changed')
}

for (const project of honestProjects) {
  const missing = project.needs.filter((words) => !isInstalled(words)).map((words) => words.join(' '))
  if (missing.length > 0)
    console.warn(
      `NOT RUN: ${project.name}, because ${missing.join(' and ')} does not work here; only detection and pins are tested`,
    )
  const how = missing.length > 0 ? 'is detected and pinned' : 'is finished by following the prompt'
  test.concurrent(`[GATE-5] [GATE-1] an honest task in a project with ${project.name} ${how}`, () =>
    withTemp(async (temp) => {
      const { shell, cleo, ask, folder } = await open(project, temp)
      if (missing.length === 0) project.install?.(folder)
      const { prompt, trusted } = await plan(project, ask)
      expect(trusted).toEqual(project.commands)
      for (const what of Object.values(trusted)) expect(prompt).toContain(what.split(' → ')[0])
      if (missing.length > 0) {
        await shell.sh('cleo focus set T002 --as T002.1')
        await judge(shell, workFolder(prompt) ?? folder, project)
        return
      }
      const line = await followPrompt(shell, prompt, project)
      const received = await cleo('receive', 'T002', '--message', line)
      expect(data(received)).toMatchObject({ taskId: 'T002', outcome: 'complete' })
      expect(await ask('inbox')).toMatchObject({ items: [] })
    }))
}
