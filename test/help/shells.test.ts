import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { executable, run } from '../support/cleo.ts'
import { hasProgram } from '../support/installed.ts'
import { withTemp } from '../support/temp.ts'

/** A folder with the built program on PATH, and the script that a person has loaded. */
interface Place {
  root: string
  env: Record<string, string>
  cleo(...args: string[]): string
}

const withPlace = (shell: string, work: (place: Place) => void): Promise<void> =>
  withTemp(async (root) => {
    const bin = join(root, '.bin')
    mkdirSync(bin)
    symlinkSync(executable.command[0], join(bin, 'cleo'))
    const env = {
      PATH: `${bin}:${process.env['PATH']}`,
      HOME: join(root, '.home'),
      USER: 'ada',
      TERM: 'dumb',
      SCRIPT: join(root, '.script'),
    }
    mkdirSync(env.HOME)
    const cleo = (...args: string[]): string => {
      const { exit, stdout, stderr } = run(executable, args, { cwd: root })
      if (exit !== 0) throw new Error(`cleo ${args.join(' ')}: ${stdout}${stderr}`)
      return stdout
    }
    writeFileSync(env.SCRIPT, cleo('completion', shell))
    work({ root, env, cleo })
  })

/** Titles that a shell could run as code, or that could break a list of words and descriptions. */
const hostile = [
  '$(touch pwned) `touch pwned`; touch pwned',
  `it's "quoted" \\' and : a colon :`,
  'tab\tand %F{red}percent%f and *?[a]',
  '-rf --help {a,b} ~ !! #x',
]

const plant = ({ root, cleo }: Place): void => {
  cleo('init')
  cleo('add', 'Customer accounts', '--type', 'epic', '-d', 'x')
  for (const title of hostile) cleo('add', '--parent', 'T001', '-d', 'x', '--', title)
  cleo('complete', 'T005')
  cleo('session', 'start', 'morning')
  cleo('spawn', 'T002', '--here')
  mkdirSync(join(root, 'skills/my-skill'), { recursive: true })
  writeFileSync(
    join(root, 'skills/my-skill/SKILL.md'),
    '---\nname: my-skill\ndescription: What $(touch pwned) does\n---\n\n# Text\n',
  )
}

type Complete = (place: Place, line: string) => string[]

const printed = ({ stdout, stderr }: { stdout: string; stderr: string }): string[] => {
  expect(stderr).toBe('')
  return stdout.split('\n').filter(Boolean)
}

/**
 * Each function completes a line in its shell. It returns what the shell offers for the last word. Each offer is a
 * word, a tab and a description.
 */
const shells: Record<string, Complete> = {
  bash: ({ root, env }, line) => {
    const program = `source "$SCRIPT" || exit 1
      COMP_LINE=$1 COMP_POINT=\${#1}
      read -ra COMP_WORDS <<<"$1"
      [[ $1 == *' ' ]] && COMP_WORDS+=('')
      COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
      COMP_TYPE=9 _cleo
      words=("\${COMPREPLY[@]}")
      COMP_TYPE=63 _cleo
      for i in "\${!words[@]}"; do
        text=\${COMPREPLY[i]#"\${words[i]}"}
        printf '%s\\t%s\\n' "\${words[i]}" "$text"
      done`
    return printed(
      spawnSync('bash', ['--norc', '-c', program, 'bash', line], { cwd: root, env, encoding: 'utf8' }),
    )
  },
  fish: ({ root, env }, line) => {
    const program = 'source $SCRIPT; complete -C $argv[1]'
    return printed(
      spawnSync('fish', ['--no-config', '-c', program, line], { cwd: root, env, encoding: 'utf8' }),
    )
  },
  zsh: ({ root, env }, line) => {
    const files = ['.offered', '.inner.zsh'].map((name) => join(root, name))
    const program = join(import.meta.dirname, 'capture.zsh')
    return printed(spawnSync('zsh', ['-f', program, line, ...files], { cwd: root, env, encoding: 'utf8' }))
  },
}

describe.each(Object.keys(shells))('%s', (shell) => {
  const isThere = hasProgram(shell, 'its completion is not tested')
  const offers = (place: Place, line: string) => shells[shell]!(place, line)
  const words = (place: Place, line: string) => offers(place, line).map((offer) => offer.split('\t')[0]!)

  test.skipIf(!isThere)('[OPS-1] ids of tasks are completed, with titles that are never run', () =>
    withPlace(shell, (place) => {
      plant(place)
      const shown = offers(place, 'cleo show T')
      expect(shown.map((offer) => offer.split('\t')[0]).sort()).toEqual([
        'T001',
        'T002',
        'T003',
        'T004',
        'T005',
      ])
      const text = shown.join('\n')
      for (const part of [
        '$(touch pwned) `touch',
        `it's "quoted" \\' and : a colon`,
        '*?[a]',
        '-rf --help {a,b} ~ !! #x',
      ])
        expect(text).toContain(part)
      expect(existsSync(join(place.root, 'pwned'))).toBe(false)
    }),
  )

  test.skipIf(!isThere)('[OPS-1] what is offered fits the command, the flag and what was typed', () =>
    withPlace(shell, (place) => {
      plant(place)
      expect(words(place, 'cleo reopen T')).toEqual(['T005'])
      expect(words(place, 'cleo complete T00').sort()).toEqual(['T001', 'T002', 'T003', 'T004', 'T005'])
      expect(words(place, 'cleo complete T002 T').sort()).toEqual(['T001', 'T002', 'T003', 'T004'])
      expect(words(place, 'cleo lifecycle start ')).toEqual(['T001'])
      expect(words(place, 'cleo update T003 --depends T002,T003').at(0)).toBe('T002,T003')
      expect(words(place, 'cleo spawn show ')).toEqual(['T002.1'])
      expect(words(place, 'cleo note T002 x --as T002')).toEqual(['T002.1'])
      expect(words(place, 'cleo session end ')[0]).toMatch(/^ses_/)
      expect(words(place, 'cleo skills show my')).toEqual(['my-skill'])
      expect(words(place, 'cleo config get claims.').sort()).toEqual(['claims.lease', 'claims.quiet'])
      expect(words(place, 'cleo config set claims.lease ')).toEqual([])
      expect(words(place, 'cleo watch tree s')).toEqual([])
      expect(words(place, 'cleo watch s')).toEqual(['status'])
      expect(words(place, 'cleo note --as T002.1 T002 T')).toEqual([])
      expect(words(place, 'cleo list --status d')).toEqual(['done'])
      expect(words(place, 'cleo add x -p h')).toEqual(['high'])
      expect(words(place, 'cleo list -n ')).toEqual([])
      expect(existsSync(join(place.root, 'pwned'))).toBe(false)
    }),
  )

  test.skipIf(!isThere)('[OPS-1] outside a project nothing is offered, and nothing is printed', () =>
    withPlace(shell, (place) => expect(words(place, 'cleo show T')).toEqual([])),
  )
})
