import { linkSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// Replaces `file.md` and the folder `dir` by links and puts them back, again and again, until its parent process is
// gone.
const [inside, outside] = process.argv.slice(2) as [string, string]
const parent = process.ppid
const file = join(inside, 'file.md')
const dir = join(inside, 'dir')
const draft = join(inside, 'draft')
const aside = join(inside, 'aside')
const secret = join(outside, 'other.md')

const put = (make: () => void): void => {
  make()
  renameSync(draft, file)
}

while (process.ppid === parent) {
  put(() => symlinkSync(secret, draft))
  put(() => writeFileSync(draft, 'fine'))
  put(() => linkSync(secret, draft))
  put(() => writeFileSync(draft, 'fine'))
  renameSync(dir, aside)
  symlinkSync(outside, dir)
  unlinkSync(dir)
  renameSync(aside, dir)
}
