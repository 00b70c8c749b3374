import { node } from '../support/cleo.ts'
import { compare, sessionsOfPages, storesOf, transcripts } from '../support/sessions.ts'

// Every session on Node and on every store. `npm test` runs all of them with the executable and a few of them on Node.
for (const session of [...transcripts(), ...sessionsOfPages()])
  for (const store of storesOf(session)) compare(session, node, store)
