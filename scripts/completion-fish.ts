import type { CandidateKind } from '../src/help/candidates.ts'
import { type CompletionValue, commonFlags, type FlagWord } from '../src/help/common-flag-words.ts'
import type { CompletionPlace } from './completion-places.ts'

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

export const fish = (places: readonly CompletionPlace[]): string => `\
# Completion for cleo in fish. To load it: cleo completion fish | source
set -g __cleo_paths ${quotedPaths(places)}
set -g __cleo_taking ${[...takingFlags(places)].sort().join(' ')}

# Whether the command line so far is this command. With a second argument, such as 2 or 2+, only where its second
# word is next, or its second or a later one.
function __cleo_at
    set -l at ''
    set -l value no
    set -l given 0
    set -l words (commandline -opc)
    for word in $words[2..]
        if test $value = yes
            set value no
        else if string match -q -- '-*' $word
            contains -- $word $__cleo_taking; and set value yes
        else
            set -l next (string trim -- "$at $word")
            test $next = orchestrator; and set next orchestrate
            if test $given = 0; and contains -- $next $__cleo_paths
                set at $next
            else
                set given (math $given + 1)
            end
        end
    end
    test "$at" = "$argv[1]"; or return 1
    test -z "$argv[2]"; and return 0
    set -l place (math $given + 1)
    if string match -q -- '*+' $argv[2]
        test $place -ge (string trim -c + -- $argv[2])
    else
        test $place = $argv[2]
    end
end

# What cleo prints: a word, a tab and a title on each line.
function __cleo_ask
    cleo completion values $argv[1] -- (commandline -ct | string replace -r '^--[^=]*=' '') 2>/dev/null
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
  return new Set(
    all
      .filter(({ value }) => value !== undefined)
      .flatMap(({ word, letters = [] }) => [word, ...letters.map((letter) => `-${letter}`)]),
  )
}

const linesFor = ({ path, next, flags, positional, rest }: CompletionPlace): string[] => {
  const at = (place = '') => `complete -c cleo -n ${quoted(`__cleo_at ${quoted(path)}${place}`)}`
  const start = at()
  const last = positional.length - 1
  return [
    ...next.map(({ word, about }) => `${at(' 1')} -a ${word} -d ${quoted(about)}`),
    ...flags.map((flag) => flagLine(start, flag)),
    ...positional.flatMap((value, i) =>
      positionalLine(at(` ${i + 1}${rest && i === last ? '+' : ''}`), value),
    ),
  ]
}

const flagLine = (start: string, flag: FlagWord): string =>
  `${start} -l ${flag.word.slice(2)}${(flag.letters ?? []).map((letter) => ` -s ${letter}`).join('')}${valueWords(flag)} -d ${quoted(flag.about)}`

const valueWords = ({ value }: FlagWord): string => {
  if (value === undefined) return ''
  if (value === 'file') return ' -r -F'
  if (value === 'folder') return ` -x -a '(__fish_complete_directories)'`
  if (value === 'anything') return ' -x'
  return ` -x ${isAsked(value) ? `-k -a ${asked(value)}` : `-a ${quoted(value.join(' '))}`}`
}

const positionalLine = (start: string, value: CompletionValue): string[] => {
  if (value === 'anything' || value === 'folder') return []
  if (value === 'file') return [`${start} -F`]
  return [isAsked(value) ? `${start} -k -a ${asked(value)}` : `${start} -a ${quoted(value.join(' '))}`]
}

const isAsked = (value: CompletionValue): value is `ask:${CandidateKind}` =>
  typeof value === 'string' && value.startsWith('ask:')
const asked = (value: `ask:${CandidateKind}`): string => `'(__cleo_ask ${value.slice('ask:'.length)})'`
