import * as v from 'valibot'
import { RunSettings } from './config-run.ts'
import { Bytes, Command, each, Hook, Path, PlainPath, TokenName, Tokens } from './config-values.ts'
import { families, hookEvents, toolNames } from './config-words.ts'
import { gates, protocols } from './protocol.ts'
import { stages } from './task.ts'

/** The schema of `.cleo/config.json`. Add a key only together with code that reads it. */
export const Config = v.strictObject({
  $schema: v.optional(v.string()),
  database: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^postgres(ql)?:\/\//, 'must be an address such as postgres://user@host/database'),
      v.description('PostgreSQL address without a password; default: SQLite. CLEO_DATABASE_URL overrides it'),
    ),
  ),
  project: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[a-z0-9]{4,32}$/, 'must be 4 to 32 lower-case letters and digits'),
      v.description('id of this project in a PostgreSQL database that several projects share'),
    ),
  ),
  claims: v.optional(
    v.strictObject({
      lease: v.optional(
        v.pipe(
          v.number(),
          v.minValue(0.01),
          v.maxValue(24 * 60),
          v.description('minutes that a claim lasts unless it is renewed'),
        ),
      ),
      quiet: v.optional(
        v.pipe(
          v.number(),
          v.minValue(0.01),
          v.maxValue(30 * 24 * 60),
          v.description(
            'after this many minutes without a command or a changed file, a task can be spawned again',
          ),
        ),
      ),
    }),
  ),
  hooks: v.optional(
    v.pipe(
      each(hookEvents, v.array(Hook), (event) => `programs run after ${event}`),
      v.description('programs to run after an event, with the event as JSON on standard input'),
    ),
  ),
  commands: v.optional(
    v.pipe(
      each(toolNames, Command, (tool) => `the project's own ${tool} command`),
      v.description(
        "the project's own commands: text, a list of words, or {run, exclusive}; started without a shell",
      ),
    ),
  ),
  output: v.optional(
    v.strictObject({
      dir: v.optional(v.pipe(PlainPath, v.description('folder for output files, inside the project'))),
      roots: v.optional(
        v.pipe(
          v.array(PlainPath),
          v.description('more folders inside the project that may contain output files'),
        ),
      ),
    }),
  ),
  manifest: v.optional(
    v.strictObject({
      path: v.optional(v.pipe(PlainPath, v.description('path of the manifest file, inside the project'))),
    }),
  ),
  skills: v.optional(
    v.strictObject({
      paths: v.optional(v.pipe(v.array(Path), v.description('more folders of skills, inside the project'))),
    }),
  ),
  tokens: v.optional(
    v.strictObject({
      env: v.optional(
        v.pipe(v.array(TokenName), v.description('environment variables that templates may read')),
      ),
      commands: v.optional(v.pipe(v.array(Path), v.description('programs that trusted templates may run'))),
    }),
  ),
  budget: v.optional(
    v.strictObject({
      total: v.optional(
        v.pipe(Tokens, v.description('total tokens of an agent; its prompt can have at most 70 % of them')),
      ),
      protocol: v.optional(v.pipe(Tokens, v.description('tokens for the protocol'))),
      task: v.optional(
        v.pipe(Tokens, v.description('tokens for the task and the findings of its dependencies')),
      ),
      skills: v.optional(v.pipe(Tokens, v.description('tokens for all skills together'))),
      family: v.optional(v.pipe(v.picklist(families), v.description('tokenizer family; default gpt'))),
    }),
  ),
  gates: v.optional(
    v.strictObject({
      required: v.optional(
        v.pipe(
          each(
            [...new Set([...protocols, ...stages()])],
            v.array(v.picklist(gates)),
            (name) => `gates that ${name} tasks need`,
          ),
          v.description('gates a task needs, by protocol or stage'),
        ),
      ),
      always: v.optional(
        v.pipe(
          v.boolean(),
          v.description('true: tasks that were never spawned also need gates and criteria'),
        ),
      ),
      reports: v.optional(
        v.pipe(
          v.boolean(),
          v.description(
            'true: a report file proves passed tests; safe only if nothing but CI can write the file',
          ),
        ),
      ),
      baseline: v.optional(
        v.pipe(
          v.picklist(['no-new-failures']),
          v.description(
            'no-new-failures: tests that already failed before the spawn may fail; default: all must pass',
          ),
        ),
      ),
      byproducts: v.optional(
        v.pipe(
          v.array(Path),
          v.description('files, folders and globs that tools write; they need not be committed'),
        ),
      ),
      timeout: v.optional(
        v.pipe(
          v.number(),
          v.minValue(1),
          v.maxValue(24 * 60 * 60),
          v.description('seconds after which CLEO ends a command that it runs as evidence; default 600'),
        ),
      ),
    }),
  ),
  spawn: v.optional(
    v.strictObject({
      maxFiles: v.optional(
        v.pipe(
          v.number(),
          v.safeInteger(),
          v.minValue(1),
          v.description('how many files a task may declare'),
        ),
      ),
    }),
  ),
  worktrees: v.optional(
    v.strictObject({
      by: v.optional(
        v.pipe(
          v.picklist(['cleo', 'none']),
          v.description(
            'cleo: each spawn that changes code gets a worktree; none: agents work in the checkout',
          ),
        ),
      ),
      setup: v.optional(
        v.pipe(
          v.array(Command),
          v.description(
            'commands that prepare a new worktree; default: found in lock files and in worktree settings of other tools',
          ),
        ),
      ),
      copy: v.optional(
        v.pipe(
          v.array(Path),
          v.description('files and folders that git ignores and CLEO copies into each new worktree'),
        ),
      ),
      minFree: v.optional(
        v.pipe(
          Bytes,
          v.description('free disk space below which no worktree is made: bytes, or text such as 2GB'),
        ),
      ),
    }),
  ),
  merge: v.optional(
    v.strictObject({
      batch: v.optional(
        v.pipe(
          v.number(),
          v.safeInteger(),
          v.minValue(1),
          v.maxValue(64),
          v.description('how many tasks are merged and checked together'),
        ),
      ),
    }),
  ),
  run: v.optional(RunSettings),
  mcp: v.optional(
    v.strictObject({
      runCommands: v.optional(
        v.pipe(
          v.boolean(),
          v.description('true: cleo mcp may run commands of the project, outside the sandbox of its agents'),
        ),
      ),
    }),
  ),
  clients: v.optional(
    v.strictObject({
      writes: v.optional(
        v.pipe(
          v.picklist(['warn', 'deny']),
          v.description(
            "deny: hooks refuse writes outside an agent's worktree and declared files; default: hooks only warn",
          ),
        ),
      ),
    }),
  ),
  dispatch: v.optional(
    v.strictObject({
      words: v.optional(
        v.pipe(
          each(
            protocols,
            v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(64))),
            (protocol) =>
              `words that choose ${protocol} if a task title begins with them, besides the built-in ones`,
          ),
          v.description(
            'words that choose a protocol if a task title begins with them, besides the built-in ones',
          ),
        ),
      ),
    }),
  ),
  compliance: v.optional(
    v.pipe(
      v.picklist(['refuse', 'warn']),
      v.description('warn: a task that breaks a rule of its protocol can still be done'),
    ),
  ),
  stages: v.optional(v.pipe(v.boolean(), v.description('false turns the lifecycle stages off'))),
})
export type Config = v.InferOutput<typeof Config>

/**
 * The settings in effect. If a setting needs a person's trust and no person has trusted it, the setting is left out
 * and listed in `untrusted`.
 */
export interface ActingConfig extends Config {
  untrusted?: readonly UntrustedSetting[]
  /** Why the trust records cannot be read. If set, nothing counts as trusted. */
  unreadable?: string
}

export interface UntrustedSetting {
  /** The setting's name with dots, such as `gates.reports`. */
  name: string
  /** The value as shown to a person; a password in an address is removed. */
  what: string
  changed: boolean
  /** True if the setting is no longer in the file. */
  removed?: true
}
