import type { Context } from '../context.ts'

export interface Ingested {
  /** Entries that came in. */
  taken: number
  quarantined: number
  warnings: string[]
}

/** Takes in what agents have appended to the files of entries since the last time: the project's own, and those of some work folders. */
export const ingest = async (_context: Context, _worktrees: readonly string[] = []): Promise<Ingested> => ({
  taken: 0,
  quarantined: 0,
  warnings: [],
})
