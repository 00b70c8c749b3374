import * as v from 'valibot'
import { families, hookEvents, toolNames } from './config-words.ts'
import { gates, protocols } from './protocol.ts'
import { stages } from './task.ts'

const Command = v.pipe(
  v.array(v.pipe(v.string(), v.minLength(1))),
  v.minLength(1, 'must be a program and its arguments, such as ["./notify", "--all"]'),
)
const Hook = v.union([
  Command,
  v.strictObject({
    run: Command,
    timeout: v.optional(v.pipe(v.number(), v.minValue(0.1), v.maxValue(300))),
  }),
])

const Path = v.pipe(v.string(), v.minLength(1), v.maxLength(500))
const Tokens = v.pipe(v.number(), v.safeInteger(), v.minValue(1))
const TokenName = v.pipe(v.string(), v.regex(/^[A-Z][A-Z0-9_]{0,63}$/, 'must be a name such as BUILD_ID'))

/** Schema of an object with one optional entry for each name. */
const each = <N extends string, S extends v.GenericSchema>(names: readonly N[], schema: S) =>
  v.strictObject(
    Object.fromEntries(names.map((name) => [name, v.optional(schema)])) as Record<
      N,
      v.OptionalSchema<S, undefined>
    >,
  )

/** The schema of `.cleo/config.json`. Every key in it is read by some code. */
export const Config = v.strictObject({
  $schema: v.optional(v.string()),
  database: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^postgres(ql)?:\/\//, 'must be an address such as postgres://user@host/database'),
      v.description(
        'PostgreSQL address; SQLite when left out. CLEO_DATABASE_URL overrides it; put a password there',
      ),
    ),
  ),
  project: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[a-z0-9]{4,32}$/, 'must be 4 to 32 lower-case letters and digits'),
      v.description("the project's id among those that share a PostgreSQL database"),
    ),
  ),
  claims: v.optional(
    v.strictObject({
      lease: v.optional(
        v.pipe(
          v.number(),
          v.minValue(0.01),
          v.maxValue(24 * 60),
          v.description('minutes a claim lasts unless renewed'),
        ),
      ),
    }),
  ),
  hooks: v.optional(
    v.pipe(
      each(hookEvents, v.array(Hook)),
      v.description('programs run after an event, with the event as JSON on standard input'),
    ),
  ),
  commands: v.optional(
    v.pipe(each(toolNames, Command), v.description("the project's own commands, as program and arguments")),
  ),
  output: v.optional(
    v.strictObject({
      dir: v.optional(v.pipe(Path, v.description('folder for output files, below the project'))),
      roots: v.optional(
        v.pipe(v.array(Path), v.description('further folders below the project that may hold output files')),
      ),
    }),
  ),
  manifest: v.optional(
    v.strictObject({
      path: v.optional(v.pipe(Path, v.description('the file of entries, below the project'))),
    }),
  ),
  skills: v.optional(
    v.strictObject({
      paths: v.optional(v.pipe(v.array(Path), v.description('further folders of skills, below the project'))),
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
      total: v.optional(v.pipe(Tokens, v.description('tokens an agent has in total'))),
      protocol: v.optional(v.pipe(Tokens, v.description('tokens for the protocol'))),
      task: v.optional(
        v.pipe(Tokens, v.description('tokens for the task and the findings of its dependencies')),
      ),
      skills: v.optional(v.pipe(Tokens, v.description('tokens for all skills together'))),
      family: v.optional(v.pipe(v.picklist(families), v.description('tokenizer family; gpt when left out'))),
    }),
  ),
  gates: v.optional(
    v.strictObject({
      required: v.optional(
        v.pipe(
          each([...new Set([...protocols, ...stages])], v.array(v.picklist(gates))),
          v.description('gates a task needs, by protocol or stage'),
        ),
      ),
      always: v.optional(
        v.pipe(v.boolean(), v.description('true: tasks that were never spawned need gates and criteria too')),
      ),
      reports: v.optional(
        v.pipe(
          v.boolean(),
          v.description(
            'true accepts a report file as evidence of passed tests; safe only if only CI can write the file',
          ),
        ),
      ),
      timeout: v.optional(
        v.pipe(
          v.number(),
          v.minValue(1),
          v.maxValue(24 * 60 * 60),
          v.description('seconds a command run as evidence may take; 600 when left out'),
        ),
      ),
    }),
  ),
  spawn: v.optional(
    v.strictObject({
      maxFiles: v.optional(
        v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.description('declared files a task may have')),
      ),
    }),
  ),
  dispatch: v.optional(
    v.pipe(
      each(protocols, v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(64)))),
      v.description('further words in a title that choose a protocol'),
    ),
  ),
  stages: v.optional(v.pipe(v.boolean(), v.description('false turns the lifecycle stages off'))),
})
export type Config = v.InferOutput<typeof Config>
