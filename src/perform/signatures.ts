import type * as v from 'valibot'
import type { Operations } from './generated/operations.ts'

/** Input, output and own codes of each operation. The package contains these types written out, without valibot. */
export type Signatures = {
  [N in keyof Operations]: {
    input: v.InferInput<Operations[N]['input']>
    output: v.InferOutput<ReturnType<Operations[N]['output']>>
    code: Operations[N]['errors'][number]
  }
}
