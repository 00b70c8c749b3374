import { ok } from '../kernel/result.ts'
import { wordsOf } from '../manifest/words.ts'
import type { StoreCheck } from './check.ts'
import { mendable, named } from './finding.ts'
import { isIndexSound, oddTexts, rebuildTexts } from './sql/texts.ts'

const most = 5

export const texts: StoreCheck = {
  id: 'words',
  needs: 'store',
  asks: 'Are entries and memories found by their words, each once?',
  changesRows: true,
  async look({ store }) {
    const { rows, total } = await oddTexts(store, most)
    const sound = await isIndexSound(store)
    if (total === 0 && sound) return []
    const shown = rows.map(({ kind, ref, found }) => `${kind} ${ref} (${found} times)`)
    return [
      mendable({
        kind: 'state',
        severity: 'error',
        what: sound
          ? `not indexed as it should be: ${named(shown, total)}`
          : 'the index of their words is damaged',
        why: 'cleo manifest find and cleo memory find miss some, or find what is gone',
      }),
    ]
  },
  async mend({ write }) {
    await write(async (tx) => {
      await rebuildTexts(tx.db, wordsOf)
      await tx.record({ after: { mended: 'words' } })
      return ok(1)
    })
  },
}
