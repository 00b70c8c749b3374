// Made by `npm run generate`. Do not edit.
import type { Operation } from '../operation.ts'

/** Loads one operation by name, and nothing else. */
export const load = async (name: string): Promise<Operation | undefined> => {
  switch (name) {
    case 'tasks.add':
      return (await import('../tasks/add.ts')).add
    case 'admin.help':
      return (await import('../admin/help.ts')).help
    case 'agents.list':
      return (await import('../agents/list.ts')).list
    case 'agents.show':
      return (await import('../agents/show.ts')).show
    case 'agents.validate':
      return (await import('../agents/validate.ts')).validate
    case 'admin.backup':
      return (await import('../admin/backup.ts')).backup
    case 'tasks.block':
      return (await import('../tasks/block.ts')).block
    case 'tasks.cancel':
      return (await import('../tasks/cancel.ts')).cancel
    case 'tasks.complete':
      return (await import('../tasks/complete.ts')).complete
    case 'admin.completion':
      return (await import('../admin/completion.ts')).completion
    case 'admin.db.move':
      return (await import('../admin/db/move.ts')).move
    case 'admin.db.status':
      return (await import('../admin/db/status.ts')).status
    case 'tasks.deps':
      return (await import('../tasks/deps.ts')).deps
    case 'tasks.exists':
      return (await import('../tasks/exists.ts')).exists
    case 'admin.export':
      return (await import('../admin/export.ts')).exportAll
    case 'tasks.find':
      return (await import('../tasks/find.ts')).find
    case 'focus.clear':
      return (await import('../focus/clear.ts')).clear
    case 'focus.note':
      return (await import('../focus/note.ts')).note
    case 'focus.set':
      return (await import('../focus/set.ts')).set
    case 'focus.show':
      return (await import('../focus/show.ts')).show
    case 'admin.import':
      return (await import('../admin/import.ts')).importDocument
    case 'admin.init':
      return (await import('../admin/init.ts')).init
    case 'tasks.list':
      return (await import('../tasks/list.ts')).list
    case 'admin.log':
      return (await import('../admin/log.ts')).log
    case 'tasks.note':
      return (await import('../tasks/note.ts')).note
    case 'orchestrate.analyze':
      return (await import('../orchestrate/analyze.ts')).analyze
    case 'orchestrate.dispatch':
      return (await import('../orchestrate/dispatch.ts')).dispatch
    case 'orchestrate.next':
      return (await import('../orchestrate/next.ts')).next
    case 'orchestrate.ready':
      return (await import('../orchestrate/ready.ts')).ready
    case 'orchestrate.respawn':
      return (await import('../orchestrate/respawn.ts')).respawn
    case 'orchestrate.spawn':
      return (await import('../orchestrate/spawn.ts')).spawn
    case 'orchestrate.spawn.diff':
      return (await import('../orchestrate/spawn/diff.ts')).diff
    case 'orchestrate.spawn.list':
      return (await import('../orchestrate/spawn/list.ts')).list
    case 'orchestrate.spawn.show':
      return (await import('../orchestrate/spawn/show.ts')).show
    case 'orchestrate.warm':
      return (await import('../orchestrate/warm.ts')).warm
    case 'tasks.reopen':
      return (await import('../tasks/reopen.ts')).reopen
    case 'admin.restore':
      return (await import('../admin/restore.ts')).restore
    case 'session.end':
      return (await import('../session/end.ts')).end
    case 'session.list':
      return (await import('../session/list.ts')).list
    case 'session.resume':
      return (await import('../session/resume.ts')).resume
    case 'session.start':
      return (await import('../session/start.ts')).start
    case 'session.status':
      return (await import('../session/status.ts')).status
    case 'tasks.show':
      return (await import('../tasks/show.ts')).show
    case 'skills.find':
      return (await import('../skills/find.ts')).find
    case 'skills.index':
      return (await import('../skills/index.ts')).index
    case 'skills.list':
      return (await import('../skills/list.ts')).list
    case 'skills.show':
      return (await import('../skills/show.ts')).show
    case 'skills.validate':
      return (await import('../skills/validate.ts')).validate
    case 'tasks.tree':
      return (await import('../tasks/tree.ts')).tree
    case 'admin.trust':
      return (await import('../admin/trust.ts')).trust
    case 'admin.trust.status':
      return (await import('../admin/trust/status.ts')).status
    case 'tasks.unblock':
      return (await import('../tasks/unblock.ts')).unblock
    case 'admin.untrust':
      return (await import('../admin/untrust.ts')).untrust
    case 'tasks.update':
      return (await import('../tasks/update.ts')).update
    case 'admin.version':
      return (await import('../admin/version.ts')).version
    default:
      return undefined
  }
}
