import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { compileCache } from './compile-cache.ts'

const library = join(import.meta.dirname, '..', '..', 'src', 'index.ts')

// Adds tasks `w<writer>-<n>` until standard input ends. Prints each title once its write was acknowledged.
const code = `
  const [library, root, name] = process.argv.slice(1)
  const { openProject } = await import(library)
  const project = openProject({ project: root })
  let go = true
  process.stdin.on('end', () => { go = false }).resume()
  for (let n = 0; go; n++) {
    const title = name + '-' + n
    const answer = await project.call('tasks.add', { title })
    if (!answer.ok) throw new Error(answer.message)
    console.log(title)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await project.close()
`

export interface Writers {
  /** Titles of the tasks whose write was acknowledged so far. */
  written: string[]
  /** Waits until this many writes were acknowledged. */
  reach(count: number): Promise<void>
  /** Stops all writers. A writer that failed fails the test. */
  stop(): Promise<void>
}

/** Starts processes that keep adding tasks to a project. */
export const startWriters = (root: string, count: number): Writers => {
  const written: string[] = []
  const ended: Promise<void>[] = []
  const children = Array.from({ length: count }, (_, i) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', code, library, root, `w${i}`], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, ...compileCache },
    })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk
    })
    createInterface(child.stdout).on('line', (title) => written.push(title))
    ended.push(
      new Promise((resolve, reject) =>
        child.on('close', (exit) => (exit === 0 ? resolve() : reject(new Error(`w${i}: ${said}`)))),
      ),
    )
    return child
  })
  const failed = Promise.all(ended)
  failed.catch(() => undefined)
  return {
    written,
    reach: async (wanted) => {
      const reached = async () => {
        while (written.length < wanted) await new Promise((resolve) => setTimeout(resolve, 5))
      }
      await Promise.race([reached(), failed])
    },
    stop: async () => {
      for (const child of children) child.stdin.end()
      await failed
    },
  }
}
