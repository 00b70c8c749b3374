import type { Samples } from '../error-page.ts'

export const clients: Samples = {
  'client.none': { names: ['claude', 'codex'] },
  'client.files': {
    ...{ title: 'Claude Code', written: [] },
    problems: [{ path: '.claude/settings.json', message: 'is read-only' }],
  },
  'client.unconfirmed': { files: 6, line: 'cleo setup claude --yes' },
  'client.unready': {
    title: 'Codex',
    problems: [
      {
        path: 'codex files',
        message: 'are missing or differ from what cleo setup writes (.codex/config.toml)',
        fix: 'cleo setup codex',
      },
    ],
  },
}
