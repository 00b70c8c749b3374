/** A line that a person types: a command of CLEO, or one for the shell. */
export type Line =
  | {
      cleo: readonly string[]
      /** The exit status that means success, if it is not 0. */
      exit?: number
      in?: 'worktree'
    }
  | {
      sh: string
      in?: 'worktree'
      /** Set if the line can fail when it runs again, because its work is already done. */
      mayFail?: true
    }

export interface QuickstartStep {
  title: string
  text: readonly string[]
  lines: readonly Line[]
}

/** The ids in the commands of a step. The printed script has fixed ids; a real project has its own. */
export interface Names {
  epic: string
  task: string
  spawn: string
}

const claim = 'Implementation complete. See MANIFEST.jsonl for summary.'

/** The example task. In the scratch project it adds a text and a test; in a project of the user, only a text. */
interface Example {
  epic: string
  title: string
  description: string
  files: string
  work: readonly string[]
  subject: string
  finish: readonly string[]
}

const inScratch: Example = {
  epic: 'Greetings',
  title: 'Write a farewell',
  description: 'farewell.txt says goodbye, and a test checks it.',
  files: 'farewell.txt,test/farewell.sh',
  work: ['echo goodbye > farewell.txt', "echo 'grep -q goodbye farewell.txt' > test/farewell.sh"],
  subject: 'Say goodbye',
  finish: ['--finding', 'The farewell is in farewell.txt.'],
}

const inProject: Example = {
  epic: 'CLEO quickstart',
  title: 'Write a greeting',
  description: 'cleo-quickstart.txt greets people.',
  files: 'cleo-quickstart.txt',
  work: ['echo hello > cleo-quickstart.txt'],
  subject: 'Greet people',
  finish: ['--finding', 'The greeting is in cleo-quickstart.txt.', '--no-tests', 'It is only a text.'],
}

export const label = 'quickstart'

export interface ScratchPlace {
  /** The folder in which CLEO keeps worktrees and backups. */
  state: string
  /** True if an earlier scratch project was deleted as a whole and CLEO still has its backups. */
  isAgain: boolean
}

export const scratchSteps = ({ state, isAgain }: ScratchPlace): readonly [QuickstartStep, QuickstartStep] => [
  {
    title: 'A small project in git',
    text: ['It has one file and one test.'],
    lines: [
      { sh: 'git init -q -b main' },
      { sh: 'mkdir -p test' },
      { sh: 'echo hello > greeting.txt' },
      { sh: "echo 'grep -q hello greeting.txt' > test/greeting.sh" },
      {
        sh: `echo 'for each in test/*.sh; do sh "$each" || exit 1; done; echo "$(ls test | wc -l) passed"' > run-tests.sh`,
      },
      { sh: 'git add -A' },
      { sh: 'git commit -q -m "Begin"' },
    ],
  },
  {
    title: 'Make it a CLEO project',
    text: [
      `The tasks are in .cleo/, the worktrees of agents and backups in ${state}.`,
      'CLEO will run your tests to check what agents claim.',
      ...(isAgain ? ['A backup of an earlier quickstart is kept; --empty starts without it.'] : []),
    ],
    lines: [
      { cleo: ['init', ...(isAgain ? ['--empty'] : [])] },
      { cleo: ['config', 'set', 'commands.test', 'sh run-tests.sh'] },
    ],
  },
]

export interface QuickstartPlace {
  isScratch: boolean
  /** Whether the project has git. With git, each agent gets a worktree, and its work is merged and landed. */
  hasGit: boolean
}

type StepName = 'epic' | 'task' | 'spawn' | 'claim' | 'work' | 'receive' | 'land'

/** The steps from the plan to landed work, by name and in order. */
export const epicSteps = (
  { epic, task, spawn }: Names,
  { isScratch, hasGit }: QuickstartPlace,
): Readonly<Record<StepName, QuickstartStep>> => {
  const example = isScratch ? inScratch : inProject
  const received: Line = { cleo: ['receive', task, '--message', claim] }
  return {
    epic: {
      title: 'Plan: an epic',
      text: ['An epic is the root of a piece of work.'],
      lines: [{ cleo: ['add', example.epic, '--type', 'epic', '--labels', label] }],
    },
    task: {
      title: 'Plan: a task in it',
      text: [
        'An agent reads the title, the description and the files of its task. --acceptance "…" would add criteria.',
      ],
      lines: [
        {
          cleo: [
            ...['add', example.title, '--parent', epic],
            ...['--description', example.description, '--files', example.files, '--labels', label],
          ],
        },
      ],
    },
    spawn: {
      title: 'Spawn: the prompt for an agent',
      text: [
        'CLEO writes the prompt to a file. You would start an agent with: "Read <that file> and follow it exactly."',
        ...(hasGit
          ? ['The agent works in a worktree and on a branch of its own. Your checkout stays as it is.']
          : []),
      ],
      lines: [{ cleo: ['spawn', task, '--ref'] }],
    },
    claim: {
      title: 'An agent claims to be done',
      text: [
        'It takes the task, does nothing, and returns "complete". CLEO refuses, and lists what is missing.',
      ],
      lines: [
        { cleo: ['focus', 'set', task, '--as', spawn] },
        { cleo: ['receive', task, '--message', claim], exit: 62 },
      ],
    },
    work: {
      title: 'What an agent does',
      text: [
        'After a refusal, the same agent can still finish, as here. You are the agent now: do the work, and finish it.',
        'CLEO runs the tests itself.',
      ],
      lines: [
        ...example.work.map((sh): Line => ({ sh, in: 'worktree' })),
        ...(hasGit
          ? ([
              { sh: 'git add -A', in: 'worktree' },
              {
                sh: `git commit -q -m "${example.subject}" -m "Task: ${task}"`,
                in: 'worktree',
                mayFail: true,
              },
            ] as const)
          : []),
        {
          cleo: [...['finish', task, '--as', spawn, '--summary', example.description], ...example.finish],
          in: 'worktree',
        },
        // Without git there is no branch to merge. So this step also receives the work, and the quickstart ends here.
        ...(hasGit ? [] : [received]),
      ],
    },
    receive: {
      title: 'Receive it',
      text: ['CLEO checks the work, and merges it into the branch of the epic.'],
      lines: [received],
    },
    land: {
      title: 'Land it',
      text: ['Only now your branch changes. CLEO runs the tests on the result, and never pushes.'],
      lines: [{ cleo: ['land', epic] }],
    },
  }
}

/**
 * Puts words in double quotes without escapes, because no word contains a character that is special in double quotes.
 */
export const typed = (line: Line): string =>
  'sh' in line
    ? line.sh
    : ['cleo', ...line.cleo].map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `"${word}"`)).join(' ')

/** All steps as a shell script: every line can be run as it is. */
export const script = (): string => {
  const names = { epic: 'T001', task: 'T002', spawn: 'T002.1' }
  const scratch = scratchSteps({ state: '~/.local/state/cleo', isAgain: false })
  const steps = [...scratch, ...Object.values(epicSteps(names, { isScratch: true, hasGit: true }))]
  const out = [
    '# A first epic with CLEO, from the plan to landed work. Run it line by line, or all of it: cleo quickstart | sh',
    '# At a terminal, cleo quickstart leads through the same steps and runs each one when you say so.',
    'cd "$(mktemp -d)"',
    'project=$(pwd)',
  ]
  for (const [i, { title, text, lines }] of steps.entries()) {
    out.push('', `# ${i + 1}. ${title}`, ...text.map((each) => `# ${each}`))
    const isInside = lines.some((line) => line.in === 'worktree')
    if (isInside) out.push(`cd "$(cleo show ${names.task} --field spawn.folder)"`)
    for (const line of lines) {
      if ('exit' in line) out.push(`# Refused, with exit ${line.exit}:`)
      out.push(typed(line))
    }
    if (isInside) out.push('cd "$project"')
  }
  return `${out.join('\n')}\n`
}
