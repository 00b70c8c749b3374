import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { screens } from '../test/screens/commands.ts'
import { plantProjects } from '../test/screens/project.ts'
import { shown } from '../test/screens/shown.ts'
import { shellWords } from '../test/support/shell-words.ts'
import { escaped } from './session-pictures.ts'

// Writes the screens of test/screens as pages for a browser, to look at them as pictures:
//   node scripts/screen-pictures.ts /tmp/screens && chromium --headless --screenshot … /tmp/screens/work-80.html
const folder = process.argv[2]
if (!folder) throw new Error('name the folder for the pages')
mkdirSync(folder, { recursive: true })

const colours: Record<string, string> = {
  1: 'font-weight:bold',
  2: 'opacity:.6',
  31: 'color:#ff7b72',
  32: 'color:#7ee787',
  33: 'color:#e3b341',
  36: 'color:#79c0ff',
}

const painted = (text: string): string =>
  escaped(text).replaceAll(/\u001b\[(\d+)m/g, (_, code: string) =>
    colours[code] ? `<span style="${colours[code]}">` : '</span>',
  )

const style = `body { background: #0d1117; color: #e6edf3; margin: 8px }
pre { font: 12px/15px "DejaVu Sans Mono", "Noto Sans Mono CJK JP", monospace; margin: 0 0 10px; border-right: 1px dashed #555 }
h2 { font: bold 12px sans-serif; color: #f0883e; margin: 0 }`

const projects = await plantProjects()
for (const [name, commands] of Object.entries(screens))
  for (const width of [50, 80, 120, 160])
    for (const colour of [true, false]) {
      let page = `<!doctype html><meta charset="utf-8"><style>${style} pre { width: ${width}ch }</style>`
      for (const command of commands) {
        const env: Record<string, string> = colour ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }
        const screen = await shown(projects.of(name), shellWords(command), { width, env })
        page += `<h2>cleo ${escaped(command)}</h2><pre>${painted(screen)}</pre>`
      }
      writeFileSync(join(folder, `${name}-${width}${colour ? '' : '-plain'}.html`), page)
    }
projects.remove()
