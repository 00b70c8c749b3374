import { executable, node } from '../support/cleo.ts'
import { compare, sessionsOfPages, storesOf, transcripts, usualStoresOf } from '../support/sessions.ts'

// Runs every session on Node and on every store. The executable runs only on the stores that `npm test` leaves out.
for (const session of [...transcripts(), ...sessionsOfPages()])
  for (const store of storesOf(session)) {
    compare(session, node, store)
    if (!usualStoresOf(session).includes(store)) compare(session, executable, store)
  }
