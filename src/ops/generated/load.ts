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
    case 'consensus.open':
      return (await import('../consensus/open.ts')).open
    case 'consensus.tally':
      return (await import('../consensus/tally.ts')).tally
    case 'consensus.vote':
      return (await import('../consensus/vote.ts')).vote
    case 'admin.db.move':
      return (await import('../admin/db/move.ts')).move
    case 'admin.db.status':
      return (await import('../admin/db/status.ts')).status
    case 'tasks.deps':
      return (await import('../tasks/deps.ts')).deps
    case 'admin.doctor':
      return (await import('../admin/doctor.ts')).doctor
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
    case 'inbox.list':
      return (await import('../inbox/list.ts')).list
    case 'inbox.answer':
      return (await import('../inbox/answer.ts')).answer
    case 'admin.init':
      return (await import('../admin/init.ts')).init
    case 'lifecycle.advance':
      return (await import('../lifecycle/advance.ts')).advance
    case 'lifecycle.show':
      return (await import('../lifecycle/show.ts')).show
    case 'lifecycle.skip':
      return (await import('../lifecycle/skip.ts')).skip
    case 'tasks.list':
      return (await import('../tasks/list.ts')).list
    case 'admin.log':
      return (await import('../admin/log.ts')).log
    case 'pipeline.manifest.append':
      return (await import('../pipeline/manifest/append.ts')).append
    case 'pipeline.manifest.find':
      return (await import('../pipeline/manifest/find.ts')).find
    case 'pipeline.manifest.list':
      return (await import('../pipeline/manifest/list.ts')).list
    case 'pipeline.manifest.quarantine':
      return (await import('../pipeline/manifest/quarantine.ts')).quarantine
    case 'pipeline.manifest.show':
      return (await import('../pipeline/manifest/show.ts')).show
    case 'pipeline.manifest.stats':
      return (await import('../pipeline/manifest/stats.ts')).stats
    case 'pipeline.manifest.sync':
      return (await import('../pipeline/manifest/sync.ts')).sync
    case 'pipeline.manifest.validate':
      return (await import('../pipeline/manifest/validate.ts')).validate
    case 'memory.find':
      return (await import('../memory/find.ts')).find
    case 'memory.observe':
      return (await import('../memory/observe.ts')).observe
    case 'memory.show':
      return (await import('../memory/show.ts')).show
    case 'tasks.note':
      return (await import('../tasks/note.ts')).note
    case 'orchestrate.analyze':
      return (await import('../orchestrate/analyze.ts')).analyze
    case 'orchestrate.context':
      return (await import('../orchestrate/context.ts')).context
    case 'orchestrate.dispatch':
      return (await import('../orchestrate/dispatch.ts')).dispatch
    case 'orchestrate.next':
      return (await import('../orchestrate/next.ts')).next
    case 'orchestrate.prime':
      return (await import('../orchestrate/prime.ts')).prime
    case 'orchestrate.ready':
      return (await import('../orchestrate/ready.ts')).ready
    case 'orchestrate.receive':
      return (await import('../orchestrate/receive.ts')).receive
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
    case 'orchestrate.start':
      return (await import('../orchestrate/start.ts')).start
    case 'orchestrate.status':
      return (await import('../orchestrate/status.ts')).status
    case 'orchestrate.validate':
      return (await import('../orchestrate/validate.ts')).validate
    case 'orchestrate.warm':
      return (await import('../orchestrate/warm.ts')).warm
    case 'output.check':
      return (await import('../output/check.ts')).check
    case 'output.new':
      return (await import('../output/new.ts')).newOutput
    case 'tasks.reopen':
      return (await import('../tasks/reopen.ts')).reopen
    case 'research.link':
      return (await import('../research/link.ts')).link
    case 'research.links':
      return (await import('../research/links.ts')).links
    case 'research.unlink':
      return (await import('../research/unlink.ts')).unlink
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
    case 'verify.view':
      return (await import('../verify/view.ts')).view
    case 'verify.criterion':
      return (await import('../verify/criterion.ts')).criterion
    case 'verify.gate':
      return (await import('../verify/gate.ts')).gate
    case 'verify.waive':
      return (await import('../verify/waive.ts')).waive
    case 'admin.version':
      return (await import('../admin/version.ts')).version
    default:
      return undefined
  }
}
