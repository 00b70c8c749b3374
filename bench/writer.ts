import { openProject } from '../src/index.ts'

/** Adds tasks to a project. The bench runs several of these processes at once. */
const [, , folder = '', name = '', count = '0'] = process.argv
const project = openProject({ project: folder, as: name })
for (let n = 0; n < Number(count); n++) {
  const added = await project.call('tasks.add', { title: `${name} writes ${n}`, labels: ['bench'] })
  if (!added.ok) throw new Error(added.message)
}
await project.close()
