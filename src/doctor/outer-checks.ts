import { isWritable } from '../host/permissions.ts'
import { isAgent } from '../kernel/actor.ts'
import { Refused, refuse } from '../kernel/result.ts'
import { shellQuote } from '../print/shell-quote.ts'
import { newestBackup, offerAt, outerProjectAt } from '../project/lost-project.ts'
import { failureFile } from '../project/make-outer-backup.ts'
import { outerFolder } from '../project/outer-backups.ts'
import { restoreBackup } from '../project/restore-backup.ts'
import { postgresAddress } from '../store/open/choose-store.ts'
import type { FileCheck } from './check.ts'
import { fixableFinding, manualFinding, plural } from './doctor-finding.ts'
import { type ExaminedProject, openProjectStore } from './examined-project.ts'
import { nearestExisting, orphanedLog } from './paths.ts'

/** True if the database is gone and the user's state folder has a backup of it. */
export const isLost = ({ state, host, root }: ExaminedProject): boolean =>
  state.is === 'refused' && state.failure.code === 'store.missing' && offerAt(host, root) !== undefined

export const lostDatabase: FileCheck = {
  id: 'lost',
  needs: 'files',
  question: "Does the database still exist, if the user's state folder has a backup of it?",
  find(project) {
    const { host, root, actor } = project
    const offer = isLost(project) ? offerAt(host, root) : undefined
    if (!offer) return []
    const log = orphanedLog(project)
    const about = {
      kind: 'file',
      severity: 'error',
      what: `.cleo/cleo.db is missing; a backup of ${offer.at} with ${plural(offer.tasks, 'task', 'tasks')} is in ${offer.path}`,
      why: log
        ? `no command works without this file; leave ${log} where it is, because it might hold the newest changes`
        : 'no command works without this file',
      where: '.cleo/cleo.db',
    } as const
    // Leave the restore to a person in two cases:
    // - An agent runs doctor. An agent may not restore.
    // - A write-ahead log is left. Only a person can decide whether the log is still needed.
    const leave = log !== undefined || isAgent(actor, host.env)
    return [
      leave
        ? manualFinding({ ...about, fix: `cleo restore ${shellQuote(offer.path)}` })
        : fixableFinding(about),
    ]
  },
  async fix(project) {
    if (project.dryRun) return
    const saved = outerProjectAt(project.host, project.root)
    const backup = saved && newestBackup(saved, { thorough: true })
    if (!backup) return refuse('project.unsaved', { root: project.root })
    await restoreBackup(project, backup.path)
    await openProjectStore(project, true)
    if (project.state.is === 'refused') throw new Refused(project.state.failure)
  },
}

export const otherProject: FileCheck = {
  id: 'project',
  needs: 'files',
  question: 'Is .cleo/cleo.db the database of this project, and not a copy of another?',
  find({ state }) {
    if (state.is !== 'refused' || state.failure.code !== 'store.other') return []
    const { message, fix, alternatives } = state.failure
    return [
      manualFinding({
        kind: 'file',
        severity: 'error',
        what: message.replace(/ It was not changed\.$/, '').replace(/\.$/, ''),
        why: 'commands are refused, because they would mix the tasks of two projects',
        where: '.cleo/cleo.db',
        advice: alternatives![0]!.replace(/\.$/, ''),
        fix,
      }),
    ]
  },
}

export const outerBackups: FileCheck = {
  id: 'outside',
  needs: 'files',
  question: "Can CLEO keep backups in the user's state folder?",
  find(project) {
    const { host, config, context } = project
    const id = context?.store.project
    if (!id || postgresAddress(host, config)) return []
    const reason = reasonAgainst(project, outerFolder(host, id))
    if (reason === undefined) return []
    return [
      manualFinding({
        kind: 'file',
        severity: 'warning',
        what: `no backups can be kept outside the project: ${reason}`,
        why: 'if someone deletes .cleo/, for example with git clean -fdx, all tasks are lost',
        advice: 'Set HOME or XDG_STATE_HOME to a folder that you can write to, with free space',
      }),
    ]
  },
}

const reasonAgainst = ({ host }: ExaminedProject, folder: string | undefined): string | undefined => {
  if (folder === undefined) return 'there is no home folder'
  const end = nearestExisting(host.files, folder)
  if (host.files.kind(end) !== 'folder') return `${end} is not a folder`
  if (!isWritable(end)) return `${end} is not writable`
  const failure = host.files.read(failureFile(folder))
  return failure === undefined ? undefined : failure.trim().slice(0, 300)
}
