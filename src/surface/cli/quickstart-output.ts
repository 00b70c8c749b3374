import type { Terminal } from '../../terminal/terminal.ts'

/**
 * Prints the command line before the first output of the command, so that a person sees which of several commands
 * answers. If the command has no output, prints nothing, because the step has already shown all its command lines.
 */
export const announcing = (terminal: Terminal, command: string): Terminal => {
  let isAnnounced = false
  const first = (print: (text: string) => void) => (text: string) => {
    if (!isAnnounced && text !== '') terminal.out(`${command}\n`)
    isAnnounced ||= text !== ''
    print(text)
  }
  return { ...terminal, out: first(terminal.out), err: first(terminal.err) }
}

/** Leaves out what `init` advises next, because quickstart itself continues. */
export const withoutNext = (terminal: Terminal): Terminal => ({
  ...terminal,
  out: (text) =>
    terminal.out(
      text
        .split('\n')
        .filter((line) => !line.startsWith('  next: '))
        .join('\n'),
    ),
})
