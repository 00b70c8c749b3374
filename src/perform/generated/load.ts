// Made by `npm run generate`. Do not edit.
import type { Operation } from '../../operation/operation.ts'
import { find as tasksFind } from '../../task-lists/ops/find.ts'
import { show as focusShow } from '../../focus/ops/show.ts'
import { next as orchestrateNext } from '../../overview/ops/next.ts'
import { ready as orchestrateReady } from '../../overview/ops/ready.ts'
import { show as tasksShow } from '../../overview/ops/show.ts'

/** Everyday operations are part of every command. Any other operation is loaded only here. */
export const load = (name: string): Operation | Promise<Operation | undefined> => {
  switch (name) {
    case 'tasks.find':
      return tasksFind
    case 'focus.show':
      return focusShow
    case 'orchestrate.next':
      return orchestrateNext
    case 'orchestrate.ready':
      return orchestrateReady
    case 'tasks.show':
      return tasksShow
    default:
      return loadRarer(name)
  }
}

const loadRarer = async (name: string): Promise<Operation | undefined> => {
  switch (name) {
    case 'tasks.add':
      return (await import('../../tasks/ops/add.ts')).add
    case 'tasks.new':
      return (await import('../../task-edits/ops/new.ts')).addInEditor
    case 'outline.add':
      return (await import('../../outline/ops/add.ts')).addOutline
    case 'admin.help':
      return (await import('../../help/ops/help.ts')).help
    case 'agents.list':
      return (await import('../../agents/ops/list.ts')).list
    case 'agents.show':
      return (await import('../../agents/ops/show.ts')).show
    case 'agents.validate':
      return (await import('../../agents/ops/validate.ts')).validate
    case 'orchestrate.analyze':
      return (await import('../../overview/ops/analyze.ts')).analyze
    case 'admin.backup':
      return (await import('../../transfer/ops/backup.ts')).backup
    case 'tasks.block':
      return (await import('../../tasks/ops/block.ts')).block
    case 'tasks.board':
      return (await import('../../overview/ops/board.ts')).board
    case 'tasks.cancel':
      return (await import('../../completion/ops/cancel.ts')).cancel
    case 'agents.clients.check':
      return (await import('../../agent-processes/ops/check.ts')).check
    case 'agents.clients.list':
      return (await import('../../clients/ops/list.ts')).list
    case 'tasks.complete':
      return (await import('../../completion/ops/complete.ts')).complete
    case 'admin.completion':
      return (await import('../../help/ops/completion.ts')).completion
    case 'admin.candidates':
      return (await import('../../help/ops/candidates.ts')).candidates
    case 'admin.config.get':
      return (await import('../../config/ops/get.ts')).get
    case 'admin.config.list':
      return (await import('../../config/ops/list.ts')).list
    case 'admin.config.path':
      return (await import('../../config/ops/path.ts')).path
    case 'admin.config.set':
      return (await import('../../config/ops/set.ts')).set
    case 'admin.config.unset':
      return (await import('../../config/ops/unset.ts')).unset
    case 'consensus.list':
      return (await import('../../consensus/ops/list.ts')).list
    case 'consensus.open':
      return (await import('../../consensus/ops/open.ts')).open
    case 'consensus.tally':
      return (await import('../../consensus/ops/tally.ts')).tally
    case 'consensus.vote':
      return (await import('../../consensus/ops/vote.ts')).vote
    case 'orchestrate.context':
      return (await import('../../overview/ops/context.ts')).context
    case 'admin.db.move':
      return (await import('../../transfer/ops/move.ts')).move
    case 'admin.db.status':
      return (await import('../../transfer/ops/status.ts')).status
    case 'tasks.deps':
      return (await import('../../task-lists/ops/deps.ts')).deps
    case 'orchestrate.dispatch':
      return (await import('../../skills/ops/dispatch.ts')).dispatch
    case 'admin.doctor':
      return (await import('../../doctor/ops/doctor.ts')).doctor
    case 'tasks.edit':
      return (await import('../../task-edits/ops/edit.ts')).edit
    case 'tasks.exists':
      return (await import('../../tasks/ops/exists.ts')).exists
    case 'admin.export':
      return (await import('../../transfer/ops/export.ts')).exportAll
    case 'outline.export':
      return (await import('../../outline/ops/export.ts')).exportOutline
    case 'tasks.finish':
      return (await import('../../completion/ops/finish.ts')).finish
    case 'focus.clear':
      return (await import('../../focus/ops/clear.ts')).clear
    case 'focus.note':
      return (await import('../../focus/ops/note.ts')).note
    case 'focus.set':
      return (await import('../../focus/ops/set.ts')).set
    case 'admin.import':
      return (await import('../../transfer/ops/import.ts')).importDocument
    case 'inbox.list':
      return (await import('../../inbox/ops/list.ts')).list
    case 'inbox.answer':
      return (await import('../../inbox/ops/answer.ts')).answer
    case 'admin.init':
      return (await import('../../project/ops/init.ts')).init
    case 'worktree.land':
      return (await import('../../merge/ops/land.ts')).land
    case 'lifecycle.advance':
      return (await import('../../lifecycle/ops/advance.ts')).advance
    case 'lifecycle.show':
      return (await import('../../lifecycle/ops/show.ts')).show
    case 'lifecycle.skip':
      return (await import('../../lifecycle/ops/skip.ts')).skip
    case 'lifecycle.start':
      return (await import('../../lifecycle/ops/start.ts')).start
    case 'tasks.list':
      return (await import('../../task-lists/ops/list.ts')).list
    case 'admin.log':
      return (await import('../../overview/ops/log.ts')).log
    case 'pipeline.manifest.append':
      return (await import('../../manifest/ops/append.ts')).append
    case 'pipeline.manifest.find':
      return (await import('../../manifest/ops/find.ts')).find
    case 'pipeline.manifest.list':
      return (await import('../../manifest/ops/list.ts')).list
    case 'pipeline.manifest.quarantine':
      return (await import('../../manifest/ops/quarantine.ts')).quarantine
    case 'pipeline.manifest.show':
      return (await import('../../manifest/ops/show.ts')).show
    case 'pipeline.manifest.stats':
      return (await import('../../manifest/ops/stats.ts')).stats
    case 'pipeline.manifest.sync':
      return (await import('../../manifest/ops/sync.ts')).sync
    case 'pipeline.manifest.validate':
      return (await import('../../manifest/ops/validate.ts')).validate
    case 'memory.find':
      return (await import('../../memory/ops/find.ts')).find
    case 'memory.observe':
      return (await import('../../memory/ops/observe.ts')).observe
    case 'memory.show':
      return (await import('../../memory/ops/show.ts')).show
    case 'tasks.move':
      return (await import('../../task-edits/ops/move.ts')).move
    case 'tasks.note':
      return (await import('../../tasks/ops/note.ts')).note
    case 'output.check':
      return (await import('../../output/ops/check.ts')).check
    case 'output.new':
      return (await import('../../output/ops/new.ts')).newOutput
    case 'orchestrate.prime':
      return (await import('../../overview/ops/prime.ts')).prime
    case 'orchestrate.receive':
      return (await import('../../receive/ops/receive.ts')).receive
    case 'tasks.reopen':
      return (await import('../../tasks/ops/reopen.ts')).reopen
    case 'research.link':
      return (await import('../../manifest/ops/link.ts')).link
    case 'research.links':
      return (await import('../../manifest/ops/links.ts')).links
    case 'research.unlink':
      return (await import('../../manifest/ops/unlink.ts')).unlink
    case 'orchestrate.respawn':
      return (await import('../../spawn/ops/respawn.ts')).respawn
    case 'admin.restore':
      return (await import('../../transfer/ops/restore.ts')).restore
    case 'run.start':
      return (await import('../../run/ops/start.ts')).start
    case 'run.list':
      return (await import('../../run/ops/list.ts')).list
    case 'run.logs':
      return (await import('../../run/ops/logs.ts')).logs
    case 'run.resume':
      return (await import('../../run/ops/resume.ts')).resume
    case 'run.show':
      return (await import('../../run/ops/show.ts')).show
    case 'run.status':
      return (await import('../../run/ops/status.ts')).status
    case 'run.stop':
      return (await import('../../run/ops/stop.ts')).stop
    case 'session.end':
      return (await import('../../sessions/ops/end.ts')).end
    case 'session.list':
      return (await import('../../sessions/ops/list.ts')).list
    case 'session.resume':
      return (await import('../../sessions/ops/resume.ts')).resume
    case 'session.start':
      return (await import('../../sessions/ops/start.ts')).start
    case 'session.status':
      return (await import('../../sessions/ops/status.ts')).status
    case 'admin.setup':
      return (await import('../../agent-processes/ops/setup.ts')).setup
    case 'skills.find':
      return (await import('../../skills/ops/find.ts')).find
    case 'skills.index':
      return (await import('../../skills/ops/index.ts')).index
    case 'skills.list':
      return (await import('../../skills/ops/list.ts')).list
    case 'skills.show':
      return (await import('../../skills/ops/show.ts')).show
    case 'skills.validate':
      return (await import('../../skills/ops/validate.ts')).validate
    case 'orchestrate.spawn':
      return (await import('../../spawn/ops/spawn.ts')).spawn
    case 'orchestrate.spawn.diff':
      return (await import('../../spawn/ops/diff.ts')).diff
    case 'orchestrate.spawn.list':
      return (await import('../../spawn/ops/list.ts')).list
    case 'orchestrate.spawn.show':
      return (await import('../../spawn/ops/show.ts')).show
    case 'orchestrate.start':
      return (await import('../../overview/ops/start.ts')).start
    case 'orchestrate.status':
      return (await import('../../overview/ops/status.ts')).status
    case 'tasks.tree':
      return (await import('../../task-lists/ops/tree.ts')).tree
    case 'admin.trust':
      return (await import('../../trust/ops/trust.ts')).trust
    case 'admin.trust.status':
      return (await import('../../trust/ops/status.ts')).status
    case 'tasks.unblock':
      return (await import('../../tasks/ops/unblock.ts')).unblock
    case 'tasks.undo':
      return (await import('../../completion/ops/undo.ts')).undo
    case 'admin.untrust':
      return (await import('../../trust/ops/untrust.ts')).untrust
    case 'tasks.update':
      return (await import('../../task-edits/ops/update.ts')).update
    case 'orchestrate.validate':
      return (await import('../../compliance/ops/validate.ts')).validate
    case 'verify.view':
      return (await import('../../completion/ops/view.ts')).view
    case 'verify.criterion':
      return (await import('../../evidence/ops/criterion.ts')).criterion
    case 'verify.gate':
      return (await import('../../evidence/ops/gate.ts')).gate
    case 'verify.waive':
      return (await import('../../standing/ops/waive.ts')).waive
    case 'admin.version':
      return (await import('../../help/ops/version.ts')).version
    case 'orchestrate.warm':
      return (await import('../../spawn/ops/warm.ts')).warm
    case 'worktree.list':
      return (await import('../../worktrees/ops/list.ts')).list
    case 'worktree.prune':
      return (await import('../../worktrees/ops/prune.ts')).prune
    case 'worktree.remove':
      return (await import('../../worktrees/ops/remove.ts')).remove
    default:
      return undefined
  }
}
