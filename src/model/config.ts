import * as v from 'valibot'

const Command = v.pipe(
  v.array(v.pipe(v.string(), v.minLength(1))),
  v.minLength(1, 'a command is a program and its arguments, such as ["./notify", "--all"]'),
)
const Hook = v.union([
  Command,
  v.strictObject({
    run: Command,
    timeout: v.optional(v.pipe(v.number(), v.minValue(0.1), v.maxValue(300))),
  }),
])

export const hookEvents = [
  'task.added',
  'task.updated',
  'task.started',
  'task.completed',
  'task.blocked',
  'task.unblocked',
  'task.cancelled',
  'task.reopened',
  'session.started',
  'session.ended',
] as const
export type HookEvent = (typeof hookEvents)[number]

const Hooks = v.strictObject(
  Object.fromEntries(hookEvents.map((event) => [event, v.optional(v.array(Hook))])) as Record<
    HookEvent,
    v.OptionalSchema<v.ArraySchema<typeof Hook, undefined>, undefined>
  >,
)

export const toolNames = ['test', 'lint', 'build', 'typecheck', 'audit'] as const

/** `.cleo/config.json`. A key stands here once something reads it. */
export const Config = v.strictObject({
  $schema: v.optional(v.string()),
  database: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^postgres(ql)?:\/\//, 'is an address such as postgres://user@host/database'),
      v.description(
        'PostgreSQL address; SQLite when left out. CLEO_DATABASE_URL wins, and is the place for a password',
      ),
    ),
  ),
  project: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[a-z0-9]{4,32}$/, 'is 4 to 32 lower-case letters and digits'),
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
    v.pipe(Hooks, v.description('programs run after an event, with the event as JSON on standard input')),
  ),
  commands: v.optional(
    v.pipe(
      v.strictObject(
        Object.fromEntries(toolNames.map((name) => [name, v.optional(Command)])) as Record<
          (typeof toolNames)[number],
          v.OptionalSchema<typeof Command, undefined>
        >,
      ),
      v.description("the project's own commands, as program and arguments"),
    ),
  ),
})
export type Config = v.InferOutput<typeof Config>
