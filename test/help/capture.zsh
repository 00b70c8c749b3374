# Completes the line $1 in an interactive zsh that runs in a pseudo terminal, and prints what it offers: each word, a tab
# and the text that is shown for it.
zmodload zsh/zpty || exit 1
export LINE_TO_COMPLETE=$1 OFFERED=$2 INNER=$3
cat > $INNER <<'END'
PS1= PS2= RPS1=
autoload -Uz compinit
compinit -u -D
source $SCRIPT
compadd() {
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
    builtin compadd "$@"
    return
  fi
  local -a _words _texts
  local _name _i
  if (( $@[(I)-d] )); then
    _name=${@[$[${@[(i)-d]}+1]]}
    _texts=("${(@P)_name}")
  fi
  builtin compadd -A _words -D _texts "$@"
  for ((_i = 1; _i <= $#_words; _i++)); do print -r -- "$_words[_i]"$'\t'"$_texts[_i]" >> $OFFERED; done
  builtin compadd "$@"
}
ask() {
  BUFFER=$LINE_TO_COMPLETE CURSOR=${#LINE_TO_COMPLETE}
  zle complete-word
  print -r -- END >> $OFFERED
}
zle -N ask
bindkey '^T' ask
print -r -- READY >> $OFFERED
END
: > $OFFERED
zpty shell zsh -f -i
wait_for() {
  local seen
  for ((i = 0; i < 600; i++)); do
    zpty -r -t shell seen > /dev/null
    if grep -qx $1 $OFFERED; then return; fi
    sleep 0.05
  done
  print -u2 "zsh did not answer"
  exit 1
}
zpty -w shell "source $INNER"
wait_for READY
zpty -w -n shell $'\x14'
wait_for END
zpty -d shell
grep -vx 'READY\|END' $OFFERED
