import type * as v from 'valibot'

export type Schema = v.GenericSchema<unknown, unknown>

interface Shape {
  entries?: Record<string, Schema>
  item?: Schema
  wrapped?: Schema
  pipe?: readonly [Schema, ...unknown[]]
  options?: readonly unknown[]
}

/** Returns a schema without its `optional`, `nullable` and pipe wrappers. */
export const innermostSchema = (schema: Schema): Schema & Shape => {
  const { wrapped, pipe } = schema as Shape
  const inner = pipe?.[0] ?? wrapped
  return inner && inner !== schema ? innermostSchema(inner) : (schema as Schema & Shape)
}
