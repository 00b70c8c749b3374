import { type CompletionValue, commonFlags, type FlagWord, type Word } from '../src/help/common-flag-words.ts'
import type { CompletionPlace } from './completion-places.ts'

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
const printfWords = (words: readonly string[]): string => `printf '%s\\n' ${words.map(quoted).join(' ')}`
const printfDescribed = (words: readonly Word[]): string =>
  printfWords(words.map(({ word, about }) => `${word}:${about}`))

/** Returns shell functions for bash and zsh that look up what can follow the words of a command line. */
const tables = (places: readonly CompletionPlace[]): string => `\
# Whether these words are a command or the start of one.
_cleo_is() {
  case $1 in
    ${casePattern(places.filter(({ path }) => path).map(({ path }) => quoted(path)))} return 0 ;;
  esac
  return 1
}

# The words that may follow.
_cleo_next() {
  case $1 in
${lines(places.filter(({ next }) => next.length > 0).map(({ path, next }) => `${quoted(path)}) ${printfDescribed(next)} ;;`))}
  esac
}

# The flags of a command.
_cleo_flags() {
  case $1 in
${lines(places.flatMap(ownFlags))}
  esac
  ${printfDescribed(commonFlags)}
}

# Whether a flag of a command takes a value.
_cleo_takes() {
  case "$1 $2" in
    ${casePattern([...places.flatMap(({ path, flags }) => flagsWithValue(path, flags)), ...flagsWithValue(undefined, commonFlags)])} return 0 ;;
  esac
  return 1
}

# What the value of a flag, or the word at a place, may be.
_cleo_choices() {
  case "$1 $2" in
${lines([...places.flatMap(({ path, flags, positional, rest }) => [...choices(path, flags, positional), ...(rest ? repeated(path, positional) : [])]), ...choices(undefined, commonFlags, [])])}
  esac
}
`

const lines = (branches: readonly string[]): string => branches.map((branch) => `    ${branch}`).join('\n')
const casePattern = (patterns: readonly string[]): string => `${patterns.join(' | ')})`

const ownFlags = ({ path, flags }: CompletionPlace): string[] => {
  const own = flags.filter(({ word }) => !commonFlags.some((common) => common.word === word))
  return own.length === 0 ? [] : [`${quoted(path)}) ${printfDescribed(own)} ;;`]
}

/** Returns a shell pattern for a word after the command `path`, or after any command if there is no path. */
const pattern = (path: string | undefined, word: string): string =>
  path === undefined ? `*${quoted(` ${word}`)}` : quoted(`${path} ${word}`)

const flagsWithValue = (path: string | undefined, flags: readonly FlagWord[]): string[] =>
  flags
    .filter(({ value }) => value !== undefined)
    .flatMap((flag) => namesOf(flag).map((name) => pattern(path, name)))

const namesOf = ({ word, letters = [] }: FlagWord): string[] => [
  word,
  ...letters.map((letter) => `-${letter}`),
]

const choices = (
  path: string | undefined,
  flags: readonly FlagWord[],
  positional: readonly CompletionValue[],
): string[] => {
  const all = [
    ...flags.flatMap((flag) => namesOf(flag).map((name) => ({ name, value: flag.value }))),
    ...positional.map((value, i) => ({ name: `<${i}>`, value })),
  ]
  return all.flatMap(({ name, value }) => {
    if (value === undefined || value === 'anything') return []
    return [`${pattern(path, name)}) ${printfWords(typeof value === 'string' ? [`@${value}`] : value)} ;;`]
  })
}

/** If a command takes several tasks, all words after its last positional are completed like that positional. */
const repeated = (path: string, positional: readonly CompletionValue[]): string[] => {
  const last = positional.at(-1)!
  return typeof last === 'string' && last !== 'anything'
    ? [`${quoted(`${path} <`)}*) ${printfWords([`@${last}`])} ;;`]
    : []
}

/**
 * Reads the words before the cursor. `at` is the command, `flag` is a flag that still needs its value, and `place`
 * counts the positionals.
 */
const scan = `\
    if [[ -n $flag ]]; then
      [[ $word == '=' ]] || flag=
    elif [[ $word == -* ]]; then
      if _cleo_takes "$at" "$word"; then flag=$word; fi
    else
      next=\${at:+$at }$word
      if [[ $next == orchestrator ]]; then next=orchestrate; fi
      if [[ $place == 0 ]] && _cleo_is "$next"; then at=$next; else place=$((place + 1)); fi
    fi
`

export const bash = (places: readonly CompletionPlace[]): string => `\
# Completion for cleo in bash. To load it: source <(cleo completion bash)
${tables(places)}
_cleo() {
  local at= flag= place=0 next word i line kind asked=
  local -a titles=()
  local typed=\${COMP_WORDS[COMP_CWORD]} offered= about=':*'
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
${scan}  done
  # Bash takes --flag=value for three words.
  if [[ -n $flag && $typed == '=' ]]; then typed=; fi
  if [[ -n $flag ]]; then
    offered=$(_cleo_choices "$at" "$flag")
  elif [[ $typed == -* ]]; then
    offered=$(_cleo_flags "$at")
  else
    if [[ $place == 0 ]]; then offered=$(_cleo_next "$at"); fi
    offered+=$'\\n'$(_cleo_choices "$at" "<$place>")
  fi
  case $'\\n'$offered in
    *$'\\n@file') offered=$(compgen -f -- "$typed") about= ;;
    *$'\\n@folder') offered=$(compgen -d -- "$typed") about= ;;
    *$'\\n@ask:'*)
      kind=\${offered##*@ask:} offered=\${offered%@ask:*}
      asked=$(cleo completion values "$kind" -- "$typed" 2>/dev/null)
      ;;
  esac
  if [[ -z $about ]]; then compopt -o filenames 2>/dev/null; fi
  COMPREPLY=()
  while IFS= read -r line; do
    line=\${line%%$about}
    if [[ -n $line && $line == "$typed"* ]]; then COMPREPLY+=("$line"); fi
  done <<<"$offered"
  while IFS= read -r line; do
    word=\${line%%$'\\t'*}
    if [[ -n $word && $word == "$typed"* ]]; then COMPREPLY+=("$word") titles+=("\${line/$'\\t'/  }"); fi
  done <<<"$asked"
  # The list that a second tab shows has the titles too. Nothing of it is inserted.
  if [[ \${COMP_TYPE-} == 63 && \${#titles[@]} -gt 1 && \${#titles[@]} == \${#COMPREPLY[@]} ]]; then
    COMPREPLY=("\${titles[@]}")
  fi
}
complete -F _cleo cleo
`

export const zsh = (places: readonly CompletionPlace[]): string => `\
#compdef cleo
# Completion for cleo in zsh. To load it: source <(cleo completion zsh)
${tables(places)}
_cleo() {
  local at= flag= place=0 next word i
  local -a offered
  for ((i = 2; i < CURRENT; i++)); do
    word=\${words[i]}
${scan}  done
  if [[ -z $flag && $PREFIX == --*=* ]]; then
    flag=\${PREFIX%%=*}
    compset -P '*='
  elif [[ -z $flag && $PREFIX == -* ]]; then
    offered=(\${(f)"$(_cleo_flags "$at")"})
    _describe -o flag offered
    return
  fi
  if [[ -z $flag && $place == 0 ]]; then
    offered=(\${(f)"$(_cleo_next "$at")"})
    if (( \${#offered} )); then _describe command offered; fi
  fi
  offered=(\${(f)"$(_cleo_choices "$at" "\${flag:-<$place>}")"})
  case \${offered[1]} in
    @file) _files ;;
    @folder) _files -/ ;;
    @ask:*) _cleo_ask \${offered[1]#@ask:} ;;
    ?*) compadd -a offered ;;
  esac
}

# Offers what cleo prints: a word, a tab and a title on each line. The title is only shown.
_cleo_ask() {
  local line
  local -a found shown
  for line in \${(f)"$(cleo completion values $1 -- "$PREFIX" 2>/dev/null)"}; do
    found+=("\${line%%$'\\t'*}") shown+=("\${line/$'\\t'/  }")
  done
  compadd -V cleo -l -d shown -a found
}

compdef _cleo cleo
if [[ \${funcstack[1]} == _cleo ]]; then _cleo "$@"; fi
`
