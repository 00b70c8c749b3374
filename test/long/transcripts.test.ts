import { executable, node } from '../support/cleo.ts'
import { compare, sessionsOfPages, storesOf, transcripts, usualStoresOf } from '../support/sessions.ts'

// Every session on Node and on every store, and with the executable on the stores where `npm test` does not run it.
for (const session of [...transcripts(), ...sessionsOfPages()])
  for (const store of storesOf(session)) {
    compare(session, node, store)
    if (!usualStoresOf(session).includes(store)) compare(session, executable, store)
  }
