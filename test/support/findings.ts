import type { TestProject } from './project.ts'

/** Stores entries for the two dependencies of the ordinary task, as `manifest append` would. */
export const plantFindings = async ({ store }: TestProject, more: string[] = []): Promise<void> => {
  const db = await store()
  const entry = (id: string, task: string, key_findings: string[]) =>
    db.run(
      "INSERT INTO entries (id, task, spawn, status, body, sha256, appended_at) VALUES (?, ?, NULL, 'complete', ?, NULL, 0)",
      id,
      task,
      JSON.stringify({ id, key_findings }),
    )
  await entry('T002-password-hashing', 'T002', [
    'argon2id is the choice.',
    'bcrypt cuts passwords at 72 bytes.',
    ...more,
  ])
  await entry('T003-mail-queue', 'T003', ['The queue takes any template.'])
}
