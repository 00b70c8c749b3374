import * as v from 'valibot'
import { limits } from './task.ts'
import { Label } from './task-filters.ts'
import { TaskId } from './task-id.ts'
import { list, maxBytes, normalised, text, unicode } from './text.ts'

export const Title = text(limits.title)
export const Description = v.pipe(
  v.string(),
  unicode(),
  v.transform(normalised),
  maxBytes(limits.description),
)
export const Labels = list(Label, 'labels', limits.labels)
export const Depends = list(TaskId, 'dependencies', limits.depends)
const ScopeFile = v.pipe(
  text(limits.file),
  v.check((s) => !s.startsWith('/') && !s.split('/').includes('..'), 'a file is a path inside the project'),
)
export const Files = list(ScopeFile, 'files', limits.files)
const Criterion = text(limits.criterion)
/** A list of criteria is not split at commas, because a criterion is a sentence and can contain commas. */
export const Acceptance = v.pipe(list(Criterion, 'criteria', limits.criteria), v.metadata({ commas: false }))
export const NoteText = v.pipe(
  v.string(),
  unicode(),
  v.transform(normalised),
  v.check((s) => s.trim() !== '', 'a note needs some text'),
  maxBytes(limits.note, `a note is limited to ${limits.note} bytes`),
)
/**
 * Refuses `…`, because it marks the place for the reason in a suggested fix such as `cleo cancel T012 --reason "…"`.
 */
export const Reason = v.pipe(
  text(limits.reason),
  v.check((given) => given !== '…' && given !== '...', 'is still the placeholder; write the reason instead'),
)
