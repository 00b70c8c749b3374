/** What the product promises, rule by rule. A test proves a rule by naming its id in its title: `[TASK-6]`. */
export interface Rule {
  id: string
  /** The promise, in one sentence. */
  says: string
  /** `partly`: a part of the rule is not built yet; the note says which. */
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
  TREE: 'Worktrees',
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
    'Only init creates a project, with private files; running it again changes nothing, and every other command outside a project refuses and names it.',
  ),
  built(
    'PROJ-2',
    'The same project is found from any subfolder, symlink or linked git worktree, unless a folder is named; the user folder is never taken for a project.',
  ),
  built(
    'PROJ-3',
    'Each write is one durable transaction that waits a bounded time for other writers and then exits 7, on SQLite and PostgreSQL.',
  ),
  built(
    'PROJ-4',
    'Numbered migrations never change and run after a backup; a database of a newer CLEO is refused and not changed.',
  ),
  built(
    'PROJ-5',
    'A project can be backed up, restored, exported as one diffable document and imported again without loss; tasks of Task Master, beads and Backlog.md can be imported.',
  ),
  built(
    'PROJ-6',
    'Doctor finds problems, explains them, and fixes those that cannot lose data; running it again gives the same result.',
  ),
  built(
    'PROJ-7',
    'Every change is a row of one audit log: who, when, in which session, the values before and after; trust and its withdrawal too.',
  ),
  built(
    'PROJ-8',
    'What a project brings with a clone acts only after a person has trusted it; until then the defaults apply, no server is contacted, and every path stays inside the project. A person trusts exactly the settings that they set.',
    'Settings that are added later need trust unless they are listed as harmless.',
  ),
  built(
    'PROJ-9',
    "The database and its backups carry the project's id, and another project's file is refused; the newest backups are also in the user's state folder, made at most once an hour after a command's answer, and offered when the store is gone.",
  ),
  built(
    'PROJ-10',
    'The reads of a query see one state of the store; limits are checked before a transaction begins, standard input is read up to its limit, and a disk or server that cannot be used is refused by name.',
  ),

  built('TASK-1', 'A task stores all its fields, from title and files to criteria, notes, times and origin.'),
  built(
    'TASK-2',
    'Ids count up from T001, are never used twice, however many write at once, and are accepted as t12, 12 or T012.',
  ),
  built(
    'TASK-3',
    'A tree has at most three levels; the type follows from the parent, and a parent that is missing, invalid or below its own child is refused.',
  ),
  built(
    'TASK-4',
    'Status, priority and size come from short fixed lists; blocking and cancelling need a reason.',
  ),
  built(
    'TASK-5',
    'CLEO stores no time estimates: a flag for one is refused with the real scope instead, and text that promises a duration is reported.',
  ),
  built(
    'TASK-6',
    'A dependency must exist and must not close a circle, through parents and children too; dependencies of an epic apply to its children. A task that is out is not ready.',
  ),
  built('TASK-7', 'Acceptance criteria are those given and the checkbox items of the description, in order.'),
  built(
    'TASK-8',
    'Tasks can be added one by one, in a batch or from a Markdown outline, shown, listed, found, changed and closed, and every problem of an input is reported at once. The last command can be undone.',
  ),
  built(
    'TASK-9',
    'Completing reports what became ready and completes the parent with its last child; it is refused while children are open, and a second time changes nothing.',
  ),
  built(
    'TASK-10',
    'Hooks receive task events as JSON; one that fails or hangs is reported and never undoes the write.',
  ),

  built(
    'SESS-1',
    'A session has a scope, notes and the tasks touched in it; it can end with a note and be resumed, and no write needs one.',
  ),
  built(
    'SESS-2',
    'Focus belongs to one agent in one session; setting it checks scope, dependencies and claim, claims the task and makes it active.',
  ),
  built(
    'SESS-3',
    'A claim is a lease with an epoch: one owner under any race, renewed by every command of the owner, and a late owner is refused whatever the command.',
  ),
  built(
    'SESS-4',
    'A spawned task belongs to its spawn until it is received, released or replaced; silence never gives it away.',
  ),
  built(
    'SESS-5',
    'An unstarted spawn is given back only to the orchestrator that asked for it, by actor, session and client thread; another is told whose it is. start and prime show the last hand-over note, and commands that need a session find the only open one of their caller.',
  ),

  built('TOK-1', 'Templates have five kinds of token: file, glob, two spellings of a name, and command.'),
  built(
    'TOK-2',
    'The names a template may use are a fixed list, and every command among their values exists.',
  ),
  built(
    'TOK-3',
    'A name is looked up in the allowed environment, never in a variable that holds a secret, then in the values set for the spawn, then in the defaults.',
  ),
  built('TOK-4', 'A backslash before a token keeps it literal; all other backslashes stay as they are.'),
  built(
    'TOK-5',
    'Text that only resembles a file reference, such as an address or a package scope, stays as it is.',
  ),
  built(
    'TOK-6',
    'Text inserted by a token is never scanned again, and only trusted templates resolve all kinds.',
  ),
  built(
    'TOK-7',
    'File references cannot leave the project or the skill, do not follow links, and do not read secrets.',
  ),
  built(
    'TOK-8',
    'Command tokens run only if trusted and listed, without a shell, with limits on time and output.',
  ),
  built(
    'TOK-9',
    'What a project brings is shown to a person, a skill with its name and what it replaces, and trusted by hash; a changed one is untrusted again, and an agent can neither grant trust nor is told how.',
  ),
  built(
    'TOK-10',
    'A prompt reports which tokens were resolved, which were not and from which files, in time linear in its input.',
  ),
  built(
    'TOK-11',
    'Line ends, byte order marks and joiners of any text are read as meant, and a prompt has its four sections whatever the skill.',
  ),

  built(
    'SKILL-1',
    'Skills are folders in the public format, found in the project, the user folders and the shipped set; the first one wins and the list says so.',
  ),
  built(
    'SKILL-2',
    'An index makes the time to find a skill independent of their number and is rebuilt when content changes.',
  ),
  built(
    'SKILL-3',
    'Validation reports every problem of a skill at once, and no false ones.',
    'A public collection of 313 skills was loaded once by hand: 305 load, 8 have no front matter and are refused for it.',
  ),
  built('SKILL-4', 'A skill is injected in short, whole, or with its references.'),
  built(
    'SKILL-5',
    'Fixed rules choose how much of a skill is injected, and the spawn names the rule that decided.',
  ),
  built('SKILL-6', 'A prompt with a skill also names its folder, so that its other files can be read.'),
  built(
    'SKILL-7',
    'One table chooses the protocol by label, stage, type and the verb of the title, in doubt the one with the most evidence, and the answer names rule and words.',
  ),
  built(
    'SKILL-8',
    'A dispatched skill that the agent file lists is left to it; one that is asked for in both places is refused, and one that does not exist is reported.',
  ),
  built('SKILL-9', 'The shipped skills are short, within budget, and name only commands that exist.'),
  built(
    'SKILL-10',
    'A subagent that needs another skill asks for it in one line and gets it with its next spawn.',
  ),
  built(
    'SKILL-11',
    'What the spawns of an epic will need can be prepared ahead, which changes only their speed.',
  ),

  built('BUDG-1', 'Every part of a prompt has a token budget, set in the configuration.'),
  built(
    'BUDG-2',
    'Tokens are estimated with the known error as margin, and counted exactly where the estimate is too close.',
  ),
  built('BUDG-3', 'A part that is too long is cut by section in a fixed order; the protocol is never cut.'),
  built(
    'BUDG-4',
    'Old findings of dependencies are cut before any text of the task, and a prompt that still does not fit is refused.',
  ),
  built('BUDG-5', 'A spawn can explain its budget part by part.'),

  built(
    'PROT-1',
    'There are one base protocol and seven conditional ones, as rules with ids; every rule a program can check is checked.',
  ),
  built(
    'PROT-2',
    'Tasks and epics have a stage that guides the prompt; the stage can only cause a refusal when an epic advances.',
  ),
  built(
    'PROT-3',
    'Each voter of a consensus has a task, prompt and spawn of its own and completes only with its vote; the last voter brings the verdict and closes the parent, a second round or a person decides otherwise.',
  ),
  built(
    'PROT-4',
    'An epic has a lifecycle only once one was started; it moves on, forwards or back with a reason, and without one closes with its last task.',
  ),

  built(
    'SPAWN-1',
    'A spawn is one self-contained prompt, recorded with its hash; same inputs give the same bytes.',
  ),
  built('SPAWN-2', 'Before a spawn everything it needs is checked, and all problems are reported at once.'),
  built('SPAWN-3', 'A prompt has four headings in a fixed order with fixed sections.'),
  built('SPAWN-4', 'Three tiers decide how much of protocol and skill is embedded.'),
  built('SPAWN-5', 'Foreign text is inside fences it cannot close and never among the instructions.'),
  built(
    'SPAWN-6',
    'Flags choose skills, strategy, tier and form of the answer; an orchestrator can get only the path of the prompt.',
  ),
  built('SPAWN-7', 'The exit status says which kind of check failed.'),

  built(
    'ORCH-1',
    'An orchestrator has a short verb for everything it does, also under both names of its group.',
  ),
  built(
    'ORCH-2',
    'Waves order the open work of an epic; what waits on tasks outside it is listed apart; the longest chain is counted in tasks, and the graph can be drawn.',
  ),
  built(
    'ORCH-3',
    'The ready set never contains two tasks that declare the same files, says why the others wait, and is in the order to take.',
  ),
  built(
    'ORCH-4',
    "The orchestrator's own rules are enforced where a program can, including the cost of its context.",
  ),
  built(
    'ORCH-5',
    'A return completes a task only after its entry, output file and gates were checked; the line it returned can only warn.',
  ),

  built(
    'MANI-1',
    'The manifest is in the database, its file follows, and the next read repairs a crash between the two.',
  ),
  built(
    'MANI-2',
    'Lines appended by hand are ingested; broken ones go to quarantine with the reason, and nothing is lost.',
  ),
  built('MANI-3', 'An entry has fixed fields, and its status decides which are required.'),
  built('MANI-4', 'A spawn has one entry; a further one must say which entry it revises.'),
  built('MANI-5', 'Entries are listed, found and linked both ways without opening their output files.'),
  built('MANI-6', 'Output files have a fixed folder, name and form, and are created and checked by command.'),

  built(
    'GATE-1',
    'A spawned task is completed only with focus, entry, output file, gates and the checkable MUST rules of its protocol, by one command that lists every problem; one that was never spawned needs none of them, says which criteria are open, and its entry decides the outcome.',
  ),
  built(
    'GATE-2',
    'Each protocol says which of the six gates a task needs; a spawn that changed files outside the output folders needs those of implementation too.',
  ),
  built(
    'GATE-3',
    'Evidence consists of atoms that can be checked, their kind must fit the gate, and implemented work needs a commit since the spawn that touches it.',
  ),
  built(
    'GATE-4',
    "Evidence of a spawn is taken in its worktree, wherever the command is run, or else in the caller's folder; it proves the commit that is checked out there, and is checked again on completion.",
  ),
  built(
    'GATE-5',
    'The commands that prove work are detected or configured, and pinned with everything that decides what they do; tests that failed before the spawn can be told from new failures.',
  ),
  built('GATE-6', 'Every criterion of a spawned task is met, unmet or waived by a person.'),

  built(
    'TREE-1',
    'A spawn that may change code gets its own branch and worktree outside the checkout, others a worktree only where the checkout lacks merged work; a worktree of a client is adopted on request; --here, worktrees.by none and no git mean the shared folder.',
  ),
  built(
    'TREE-2',
    'An epic has an integration branch, from which the worktrees of its tasks start; a dependency in another epic counts once its work has landed, and is brought in first; of the branches and files of the user only landing changes any.',
  ),
  built(
    'TREE-3',
    "A new worktree can run the project's checks: trusted commands and copies of ignored files prepare it, a failure refuses with its last lines, and slot, ports and compose project keep worktrees apart; an exclusive command runs one at a time on the machine.",
  ),
  built(
    'TREE-4',
    'Receiving merges the work into the integration branch after the checks passed on the merged files, by compare-and-swap; a conflict or a red merge sends the task back with its reasons, and what was interrupted is finished or undone.',
  ),
  built(
    'TREE-5',
    'A new attempt starts from the integration branch, or goes on from the last one; superseded attempts stay as refs with their uncommitted work, and no command removes unsaved work.',
  ),
  built(
    'TREE-6',
    'Output file and manifest line are written in the worktree, stored by finish, and brought into the project by receive; they stay out of the branch unless the project tracks them.',
  ),
  built(
    'TREE-7',
    "Landing brings the integration branch into the user's branch with checks, as fast-forward, merge or one commit, refuses what would lose an edit, and never pushes.",
  ),
  built('MEM-1', 'What was learned is stored with its source and found again by its words.'),

  built(
    'OUT-1',
    'Text is the default, in a pipe too; programs ask for one JSON envelope, and messages never mix with the answer.',
  ),
  built(
    'OUT-2',
    'A refusal has code, exit, sentence, fix and every problem, and never names a command that destroys data.',
  ),
  built(
    'OUT-3',
    'One table gives every refusal its exit status and says which are worth a retry; an empty list is success.',
    'Codes are added with the operations that return them.',
  ),
  built('OUT-4', 'Lists are paged and short, and the answers that agents read most have few tokens.'),

  partly(
    'OPS-1',
    'One definition makes command, help, completion, tool, route and page; unknown input is refused everywhere.',
    'HTTP routes are coming.',
  ),
  built('OPS-2', 'Operations are listed by tier: what a subagent needs, what orchestration adds, and all.'),
  built(
    'OPS-3',
    'An MCP server offers every operation by query and mutate, and everyday ones as tools of their own; commands of the project run there only if a person allows it.',
    'The spawn of a call is known by `as`; by the use of a tool that a hook recorded once the hooks are there.',
  ),
  built('OPS-4', 'The package is a library with the same operations, typed.'),

  built('PROV-1', 'Agent files are read and validated, with every problem reported.'),
  built(
    'PROV-2',
    'Set-up writes only its own parts into the files of an agent client, and undo restores the bytes.',
  ),
  built(
    'PROV-3',
    'Hooks of agent clients enforce the contract; real clients are driven in tests by a scripted model.',
  ),

  built('RUN-1', 'A run works through an epic by itself: claim, work, check, merge, complete, next.'),
  built(
    'RUN-2',
    'A run that is killed at any point resumes there, repeats nothing and leaves no process behind.',
  ),
  built('RUN-3', 'Retryable failures are retried a limited number of times; then a person is asked.'),
  built(
    'RUN-4',
    'Each agent works in its own worktree; merges are never forced and unmerged work is never removed.',
  ),
  partly('RUN-5', 'Progress, tokens and cost are shown as they happen.', 'there is no studio yet'),
  coming('RUN-6', 'Many machines share one PostgreSQL, and the task of a dead worker goes to another.'),

  coming(
    'WEB-1',
    'A local page shows graph, board, tasks, spawns and runs live, by keyboard too, at 5,000 tasks.',
  ),
  coming('WEB-2', 'The page listens on loopback only, behind a token, and no project text becomes markup.'),
]
