import type * as v from 'valibot'
import type { Operations } from './generated/operations.ts'

/**
 * The input, the output and the refusal codes of each operation, without the codes that all operations share. In the
 * published package these types are written out in full, so that the package does not need valibot.
 */
export type Signatures = {
  [N in keyof Operations]: {
    input: v.InferInput<Operations[N]['input']>
    output: v.InferOutput<ReturnType<Operations[N]['output']>>
    code: Operations[N]['errors'][number]
  }
}
