/** What the product promises, rule by rule. A test proves a rule by naming its id in its title: `[TASK-6]`. */
export interface Rule {
  id: string
  /** The promise, in one sentence. */
  says: string
  /** `partly` stands for now; its note says what is missing. */
  state: 'built' | 'partly' | 'coming'
  note?: string
}

export const chapters: Readonly<Record<string, string>> = {
  PROJ: 'Project and storage',
  TASK: 'Tasks',
  SESS: 'Sessions and focus',
  TOK: 'Tokens',
  SKILL: 'Skills',
  BUDG: 'Budgets',
  PROT: 'Protocols and stages',
  SPAWN: 'Spawn',
  ORCH: 'Orchestrator',
  MANI: 'Manifest and research',
  GATE: 'Completion and evidence',
  MEM: 'Memory',
  OUT: 'Errors and output',
  OPS: 'Operations',
  PROV: 'Agents and providers',
  RUN: 'Runs',
  WEB: 'Studio',
}

const built = (id: string, says: string, note?: string): Rule => ({ id, says, state: 'built', note })
const partly = (id: string, says: string, note: string): Rule => ({ id, says, state: 'partly', note })
const coming = (id: string, says: string): Rule => ({ id, says, state: 'coming' })

export const rules: readonly Rule[] = [
  built(
    'PROJ-1',
    'Only init makes a project, privately and without harm when run again; every other command outside one refuses and points to it.',
  ),
  built(
    'PROJ-2',
    'The same project is found from any subfolder, symlink or linked git worktree, unless a folder is named; the folder of the user is never taken for one.',
  ),
  built(
    'PROJ-3',
    'Each write is one durable transaction that waits a bounded time for others and then exits 7, on SQLite and on PostgreSQL alike.',
  ),
  built(
    'PROJ-4',
    'Numbered migrations never change, run after a backup, and a file from a newer CLEO is refused and left as it is.',
  ),
  partly(
    'PROJ-5',
    'A project can be backed up, restored, exported as one diffable document and imported again without loss.',
    'Our own format; reading those of other tools is coming.',
  ),
  built(
    'PROJ-6',
    'Doctor finds faults, explains them, and mends those that cannot cost data, the same way however often it runs.',
  ),
  built(
    'PROJ-7',
    'Every change leaves a line in one log: who, when, in which session, what was before and what after.',
  ),

  built(
    'TASK-1',
    'A task keeps all its fields, from title and scope to criteria, notes, times and where it came from.',
  ),
  built(
    'TASK-2',
    'Ids count up from T001, are never given twice, however many write at once, and are understood as t12, 12 or T012.',
  ),
  built(
    'TASK-3',
    'A tree has at most three levels; the type follows from the parent, and a parent that is missing, unfit or below its own child is refused.',
  ),
  built(
    'TASK-4',
    'Status, priority and size come from short fixed lists; blocking and cancelling need a reason.',
  ),
  built(
    'TASK-5',
    'Nothing in CLEO holds a time estimate: a flag that wants one is refused with the real scope instead, and text that promises a duration is reported.',
  ),
  built(
    'TASK-6',
    'A dependency must exist and close no circle of waiting, through parents and children too; what binds an epic binds its children.',
  ),
  built(
    'TASK-7',
    'Acceptance criteria are those given and those ticked off as list items in the description, in order.',
  ),
  built(
    'TASK-8',
    'Tasks can be added singly or as a whole batch, shown, listed, found, changed and closed, and every problem of an input is named at once.',
  ),
  built(
    'TASK-9',
    'Completing says what became ready and completes the parent with its last child; open children refuse it, and a second time changes nothing.',
  ),
  built(
    'TASK-10',
    'Hooks hear of task events as JSON; one that fails or hangs is reported and never costs the write.',
    'Events of spawns and runs come with these.',
  ),

  built(
    'SESS-1',
    'A session has a scope, notes and the tasks touched in it; it can end with a hand-over and go on later, and no write needs one.',
  ),
  built(
    'SESS-2',
    'Focus belongs to one agent in one session; setting it checks scope, dependencies and claim, takes the task and makes it active.',
  ),
  built(
    'SESS-3',
    'A claim is a lease with an epoch: one owner under any race, renewed by what the owner does, and a late owner is refused whatever it tries.',
    'Spawn ids are understood; the spawns themselves are coming.',
  ),

  built('TOK-1', 'Templates know five kinds of token: file, glob, two kinds of name, and command.'),
  built(
    'TOK-2',
    'The names a template may use are a fixed list, and every command among their values exists.',
  ),
  built(
    'TOK-3',
    'A name is looked up in the allowed environment, then in what the spawn sets, then in the defaults.',
  ),
  built('TOK-4', 'A backslash keeps a token literal and leaves all other backslashes alone.'),
  built(
    'TOK-5',
    'What only looks like a file reference, such as an address or a package scope, is left alone.',
  ),
  built(
    'TOK-6',
    'Text that came in through a token is never scanned again, and only trusted templates resolve all kinds.',
  ),
  built(
    'TOK-7',
    'File references cannot leave the project or the skill, follow no links, and read no secrets.',
  ),
  built('TOK-8', 'Command tokens are off unless trusted and listed, and run without a shell, bounded.'),
  built(
    'TOK-9',
    'What of a project may act is shown to a person and recorded by hash; a later change is untrusted again, and an agent cannot say yes.',
  ),
  built(
    'TOK-10',
    'A prompt reports what was resolved, what was not and from which files, in time linear in its input.',
  ),

  built(
    'SKILL-1',
    'Skills are folders in the public format, found in project, user and shipped places; the first one wins and the list says so.',
  ),
  built(
    'SKILL-2',
    'An index makes looking up a skill independent of their number and is rebuilt when content changed.',
  ),
  built(
    'SKILL-3',
    'Validation names every fault of a skill at once, and each fault is true.',
    'A public collection of 313 skills was loaded once by hand: 305 load, 8 lack front matter and are refused for it.',
  ),
  built('SKILL-4', 'A skill is injected minimally, whole, or with its references.'),
  built(
    'SKILL-5',
    'Fixed rules choose how much of a skill is injected, and the spawn says which rule decided.',
  ),
  built(
    'SKILL-6',
    'A prompt that holds a skill also says where its folder is, so that deeper levels can be read.',
  ),
  built(
    'SKILL-7',
    'One table matches tasks to skills by label, type and whole words, and the answer names the rule.',
  ),
  built('SKILL-8', 'The same skill injected in two ways is refused with both places.'),
  built('SKILL-9', 'The shipped skills are short, within budget, and name only commands that exist.'),
  built('SKILL-10', 'A subagent that lacks a skill says so in one line and gets it with its next spawn.'),
  built('SKILL-11', 'What an epic will need can be prepared ahead, which changes speed and nothing else.'),

  built('BUDG-1', 'Every part of a prompt has a token budget, set in the config.'),
  built(
    'BUDG-2',
    'Tokens are estimated with a known error kept as margin, and counted exactly where it matters.',
  ),
  built('BUDG-3', 'What is too long is cut in a fixed order by section; the protocol never is.'),
  built(
    'BUDG-4',
    'A task loses old findings before anything of its own, and a prompt that still does not fit is refused.',
  ),
  built('BUDG-5', 'A spawn can explain its budget part by part.'),

  built(
    'PROT-1',
    'One base protocol and seven conditional ones, in rules with ids; what can be checked is checked.',
  ),
  built(
    'PROT-2',
    'Tasks and epics have a stage that guides the prompt; only advancing an epic can be refused for it.',
  ),
  built('PROT-3', 'Consensus is computed from recorded votes, and a contested one goes to a person.'),

  built(
    'SPAWN-1',
    'A spawn is one self-contained prompt, recorded with its hash; same inputs give the same bytes.',
  ),
  built('SPAWN-2', 'Before a spawn everything it needs is checked, and all failures are named at once.'),
  built('SPAWN-3', 'A prompt has four headings in a fixed order with fixed sections.'),
  built('SPAWN-4', 'Three tiers decide how much of protocol and skill is embedded.'),
  built('SPAWN-5', 'Foreign text stands in fences it cannot close and never where instructions stand.'),
  built(
    'SPAWN-6',
    'Flags choose skills, strategy, tier and form of the answer; a pointer is enough for an orchestrator.',
  ),
  built('SPAWN-7', 'The exit status tells which kind of check failed.'),

  built(
    'ORCH-1',
    'An orchestrator has one group of commands for all its questions, under both of its names.',
  ),
  built(
    'ORCH-2',
    'Waves layer the open work of an epic; what waits outside it is apart; the longest chain is counted in tasks and all of it can be drawn.',
  ),
  built(
    'ORCH-3',
    'The ready set never holds two tasks that declare the same files, says why the others wait, and is in the order to take.',
  ),
  built(
    'ORCH-4',
    "The orchestrator's own rules are enforced where a program can, its context cost among them.",
  ),
  built('ORCH-5', 'A return is checked line, entry, file and gates before it completes anything.'),

  built(
    'MANI-1',
    'The database holds the manifest, the file beside it follows, and a crash between the two heals.',
  ),
  built(
    'MANI-2',
    'Lines appended by hand are taken in; broken ones are kept apart with the reason and nothing is lost.',
  ),
  built('MANI-3', 'An entry has fixed fields, and its status decides which it must have.'),
  built('MANI-4', 'One entry per spawn, unless it says what it revises.'),
  built('MANI-5', 'Entries are listed, found and linked both ways without opening their files.'),
  built('MANI-6', 'Output files have a fixed place, name and form, made and checked by command.'),

  built('GATE-1', 'A spawned task is completed only with focus, entry, file and gates; others freely.'),
  built('GATE-2', 'Each protocol says which of six gates a task needs.'),
  built('GATE-3', 'Evidence is made of checkable atoms, and its kind must fit the gate.'),
  built('GATE-4', "Evidence is taken in the caller's own worktree and checked again on completion."),
  built('GATE-5', 'The commands that prove work are found or configured, and pinned by trust.'),
  built('GATE-6', 'Every criterion of a spawned task is met, unmet or waived by a person.'),

  built('MEM-1', 'What was learned is kept with where it came from, and found again by its words.'),

  built(
    'OUT-1',
    'A pipe gets one JSON envelope and a person gets text; flags choose, and logs never mix in.',
  ),
  built(
    'OUT-2',
    'A refusal carries code, exit, sentence, fix and every problem, and never a command that destroys.',
  ),
  built(
    'OUT-3',
    'One table gives every refusal its exit status and says which are worth a retry; an empty list is success.',
    'Codes arrive with the operations that answer them.',
  ),
  built('OUT-4', 'Lists are paged and short, and the answers agents read most stay within a few tokens.'),

  partly(
    'OPS-1',
    'One definition makes command, help, completion, tool, route and page; unknown input is refused everywhere.',
    'MCP tools and HTTP routes are coming.',
  ),
  built('OPS-2', 'Operations are listed by tier: what a subagent needs, what orchestration adds, and all.'),
  coming('OPS-3', 'An MCP server offers queries and changes, and the lowest tier as tools of their own.'),
  built('OPS-4', 'The package is a library with the same operations, typed.'),

  built('PROV-1', 'Agent files are read and validated with every fault named.'),
  coming(
    'PROV-2',
    'Install writes only its own marked parts for an agent client, and uninstall restores the bytes.',
  ),
  coming('PROV-3', 'Real agent clients are driven in tests by a scripted model.'),

  coming('RUN-1', 'A run drives an epic by itself: claim, work, check, merge, complete, next.'),
  coming(
    'RUN-2',
    'A run killed anywhere goes on where it was, repeats nothing and leaves no process behind.',
  ),
  coming('RUN-3', 'What can be tried again is, a bounded number of times; then a person is asked.'),
  coming(
    'RUN-4',
    'Agents work in worktrees of their own; merges are never forced and unmerged work never removed.',
  ),
  coming('RUN-5', 'Progress, tokens and cost are shown as they happen.'),
  coming('RUN-6', "Many machines share one PostgreSQL, and a dead worker's task moves on."),

  coming(
    'WEB-1',
    'A local page shows graph, board, tasks, spawns and runs live, by keyboard too, at 5,000 tasks.',
  ),
  coming('WEB-2', 'The page listens on loopback only, behind a token, and no project text becomes markup.'),
]
