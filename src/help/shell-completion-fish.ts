import {
  type CompletionPlace,
  type CompletionValue,
  commonFlags,
  type FlagWord,
} from './shell-completion-data.ts'

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

export const fish = (places: readonly CompletionPlace[]): string => `\
# Completion for cleo in fish. To load it: cleo completion fish | source
set -g __cleo_paths ${quotedPaths(places)}
set -g __cleo_taking ${[...takingFlags(places)].sort().join(' ')}

# Whether the command line so far is one of these commands.
function __cleo_at
    set -l at ''
    set -l value no
    set -l words (commandline -opc)
    for word in $words[2..]
        if test $value = yes
            set value no
        else if string match -q -- '-*' $word
            contains -- $word $__cleo_taking; and set value yes
        else
            set -l next (string trim -- "$at $word")
            test $next = orchestrator; and set next orchestrate
            contains -- $next $__cleo_paths; and set at $next
            or break
        end
    end
    contains -- "$at" $argv
end

complete -c cleo -f
${[...commonFlags.map((flag) => flagLine('complete -c cleo', flag)), ...places.flatMap(linesFor)].join('\n')}
`

const quotedPaths = (places: readonly CompletionPlace[]): string =>
  places
    .filter(({ path }) => path)
    .map(({ path }) => quoted(path))
    .join(' ')

const takingFlags = (places: readonly CompletionPlace[]): Set<string> => {
  const all = [...commonFlags, ...places.flatMap(({ flags }) => flags)]
  return new Set(all.filter(({ value }) => value !== undefined).map(({ word }) => word))
}

const linesFor = ({ path, next, flags, positional }: CompletionPlace): string[] => {
  const start = `complete -c cleo -n ${quoted(`__cleo_at ${quoted(path)}`)}`
  return [
    ...next.map(({ word, about }) => `${start} -a ${word} -d ${quoted(about)}`),
    ...flags.map((flag) => flagLine(start, flag)),
    ...positional.flatMap((value) => positionalLine(start, value)),
  ]
}

const flagLine = (start: string, flag: FlagWord): string =>
  `${start} -l ${flag.word.slice(2)}${valueWords(flag)} -d ${quoted(flag.about)}`

const valueWords = ({ value }: FlagWord): string => {
  if (value === undefined) return ''
  if (value === 'file') return ' -r -F'
  if (value === 'folder') return ` -x -a '(__fish_complete_directories)'`
  return value === 'anything' ? ' -x' : ` -x -a ${quoted(value.join(' '))}`
}

const positionalLine = (start: string, value: CompletionValue): string[] => {
  if (value === 'anything' || value === 'folder') return []
  return [value === 'file' ? `${start} -F` : `${start} -a ${quoted(value.join(' '))}`]
}
