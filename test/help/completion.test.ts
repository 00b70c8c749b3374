import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mergeForms, withOtherNames } from '../../scripts/completion-places.ts'
import { allNames, allCommands as allRows, commonFlags } from '../../src/operation/commands.ts'
import { type TestProject, withProject } from '../support/project.ts'

const script = async ({ must }: TestProject, shell: 'bash' | 'zsh' | 'fish') =>
  (await must('admin.completion', { shell })).script

const allCommands = () => mergeForms(withOtherNames(allRows(), allNames()))

/** Loads the script in a real bash and returns its completions of the last word. */
const complete = async (project: TestProject, ...words: string[]): Promise<string[]> => {
  const program = `${await script(project, 'bash')}
    COMP_WORDS=(cleo "$@")
    COMP_CWORD=$#
    _cleo
    printf '%s\\n' "\${COMPREPLY[@]}"`
  const ran = spawnSync('bash', ['--norc', '-u', '-c', program, 'bash', ...words], {
    cwd: project.root,
    encoding: 'utf8',
  })
  expect(ran.stderr).toBe('')
  return ran.stdout.split('\n').filter(Boolean)
}

const cases: [string[], string[]][] = [
  [['ad'], ['add', 'admin']],
  [['orchestrate', 'a'], ['analyze']],
  [['orchestrator', 'a'], ['analyze']],
  [
    ['--json', '--as', 'T001.1', 'focus', ''],
    ['clear', 'note', 'set', 'show'],
  ],
  [['trust', ''], ['status']],
  [['mc'], ['mcp']],
  [
    ['hook', 'co'],
    ['codex', 'copilot'],
  ],
  [['help', ''], []],
  [
    ['add', '--pr'],
    ['--priority', '--project'],
  ],
  [['add', '--dry'], ['--dry-run']],
  [['list', '--dry'], []],
  [
    ['add', '--type', ''],
    ['epic', 'task', 'subtask'],
  ],
  [['add', '--size', 'small', '--type', 's'], ['subtask']],
  [
    ['add', '--type', '='],
    ['epic', 'task', 'subtask'],
  ],
  [['add', '--type', '=', 'e'], ['epic']],
  [['add', 'list', '--prio'], ['--priority']],
  [
    ['orchestrate', 'analyze', '--graph', ''],
    ['text', 'mermaid', 'dot'],
  ],
  [
    ['list', '--format', ''],
    ['json', 'human'],
  ],
  [
    ['completion', ''],
    ['values', 'bash', 'zsh', 'fish'],
  ],
  [['completion', 'bash', ''], []],
  [['show', 'T001', ''], []],
  [['nothing', ''], []],
]

test.each(cases)('[OPS-1] bash completes cleo %j', (words, expected) =>
  withProject(async (project) => expect(await complete(project, ...words)).toEqual(expected)),
)

test('[OPS-1] bash completes every command and every flag of it', () =>
  withProject(async (project) => {
    const source = await script(project, 'bash')
    const asked = allCommands().map(
      ({ words }) => `_cleo_is '${words}' && _cleo_flags '${words}' | tr '\\n' ' '; echo`,
    )
    const ran = spawnSync('bash', ['-c', `${source}\n${asked.join('\n')}`], { encoding: 'utf8' })
    const lines = ran.stdout.split('\n')
    for (const [i, { words, flags, kind }] of allCommands().entries()) {
      const common = Object.keys(commonFlags).filter((name) => name !== 'dry-run' || kind === 'mutate')
      const names = new Set([...flags.map(({ name }) => name), ...common.map((name) => `--${name}`)])
      const offered = lines[i]!.match(/(?<=^| )--[a-z-]+(?=:)/g) ?? []
      expect(offered.toSorted(), words).toEqual([...names].toSorted())
    }
  }))

test('[OPS-1] bash completes files and folders, whatever they are called', () =>
  withProject(async (project) => {
    mkdirSync(join(project.root, 'sub folder'))
    writeFileSync(join(project.root, 'sh:op.jsonl'), '')
    expect(await complete(project, 'import', 's')).toEqual(['sh:op.jsonl', 'sub folder'])
    expect(await complete(project, 'list', '--project', 's')).toEqual(['sub folder'])
  }))

test('[OPS-1] sourcing the bash script registers it and prints nothing', () =>
  withProject(async (project) => {
    const ran = spawnSync('bash', ['--norc', '-c', `${await script(project, 'bash')}\ncomplete -p cleo`], {
      encoding: 'utf8',
    })
    expect(ran).toMatchObject({ stdout: 'complete -F _cleo cleo\n', stderr: '', status: 0 })
  }))

const isThere = (shell: string) => spawnSync(shell, ['-c', 'exit 0']).status === 0

test('[OPS-1] the zsh script is one that zsh takes and that holds every command', () =>
  withProject(async (project) => {
    const source = await script(project, 'zsh')
    expect(source).toMatch(/^#compdef cleo\n/)
    for (const { words } of allCommands()) expect(source).toContain(`'${words}'`)
    // This part of the script is the same as in the script for bash.
    const answers = (text: string) => text.slice(text.indexOf('_cleo_is()'), text.indexOf('_cleo() {'))
    expect(answers(source)).toBe(answers(await script(project, 'bash')))
    if (!isThere('zsh')) return
    const file = join(project.root, '_cleo')
    writeFileSync(file, source)
    expect(spawnSync('zsh', ['-n', file], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' })
  }))

test('[OPS-1] the fish script is one that fish takes and that holds every command', () =>
  withProject(async (project) => {
    const source = await script(project, 'fish')
    for (const { words, flags } of allCommands()) {
      const last = words.split(' ').at(-1)
      expect(source).toMatch(new RegExp(`^complete -c cleo -n .* -a ${last} -d `, 'm'))
      for (const { name } of flags)
        expect(source).toContain(`complete -c cleo -n '__cleo_at \\'${words}\\'' -l ${name.slice(2)} `)
    }
    if (!isThere('fish')) return
    const file = join(project.root, 'cleo.fish')
    writeFileSync(file, source)
    expect(spawnSync('fish', ['--no-execute', file], { encoding: 'utf8' })).toMatchObject({ status: 0 })
    const asked = spawnSync('fish', ['-c', `source ${file}; complete -C 'cleo add --type '`], {
      encoding: 'utf8',
    })
    const words = asked.stdout.split('\n').map((offer) => offer.split('\t')[0])
    expect(words.slice(0, 3)).toEqual(['epic', 'subtask', 'task'])
  }))

test('[OPS-1] an unknown shell is refused with the list of known ones', () =>
  withProject(async ({ call }) => {
    expect(await call('admin.completion', { shell: 'zhs' as 'zsh' })).toMatchObject({
      code: 'input.invalid',
      message: expect.stringContaining('did you mean "zsh"?'),
    })
  }))
