import type { Samples } from '../error-page.ts'

const database = '.cleo/cleo.db'
const server = 'postgres://cleo@db.example/team'
const backup = { path: '/home/me/.local/state/cleo/4f0k2m9x1c7d/backups/1.db', at: '2026-01-01', tasks: 12 }

/** Samples for refusals about the store. A refusal is listed here only if its sentence needs more than a path. */
export const store: Samples = {
  'output.unwritten': { reason: 'the disk is full', ok: true },
  'project.lost': { root: '/home/me/shop', fix: 'cleo init --restore', ...backup },
  'project.unsaved': { root: '/home/me/shop' },
  'project.home': { at: '/home/me' },
  'actor.foreign': { actor: 'T013.1', own: 'T012.1' },
  'import.large': { count: 200000, most: 100000 },
  'store.other': { path: database, found: '8b1n5p3z0q6w', own: '4f0k2m9x1c7d' },
  'store.quota': { path: `/home/me/shop/${database}` },
  'store.disk_readonly': { path: `/home/me/shop/${database}` },
  'store.disk_error': { path: database, reason: 'disk I/O error' },
  'store.address': { reason: 'it has no database name' },
  'store.key_file': { path: '/home/me/db.crt', reason: 'permission denied' },
  'store.encoding': { where: server, encoding: 'LATIN1' },
  'backup.other': { path: 'old.db', found: '8b1n5p3z0q6w' },
  'spawn.restored': { id: 'T012.1', task: 'T012' },
  'spawn.reserved': {
    ...{ id: 'T012.1', task: 'T012', by: 'claude' },
    ...{ at: '2026-01-01T09:40:00.000Z', until: '2026-01-01T09:55:00.000Z' },
  },
}
