import { type CompletedCommand, type CompletedOption, unnamedCommand } from './table.ts';

/**
 * The script that completes this program's commands in bash. For bash from 3.2 on, which macOS has: without
 * mapfile, and without the functions of bash-completion. bash breaks `--index=on` at its `=` and `assets:write` at
 * its `:` into three words, and completes the last of them.
 */
export function bashScript(commands: readonly CompletedCommand[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  const options = unique(commands.flatMap((command) => command.options));
  return `# artwork-mcp: completion for bash
_artwork_mcp() {
  local at=$COMP_CWORD current=\${COMP_WORDS[COMP_CWORD]} before command=\${COMP_WORDS[1]}
  local words= folders= i
  while [[ $at -gt 2 && ( \${COMP_WORDS[at]} == : || \${COMP_WORDS[at-1]} == : ) ]]; do
    current=\${COMP_WORDS[at-1]}$current
    at=$((at - 1))
  done
  before=\${COMP_WORDS[at-1]}
  if [[ $current == = ]]; then
    current=
  elif [[ $before == = ]]; then
    before=\${COMP_WORDS[at-2]}
  fi
  COMPREPLY=()
  [[ $COMP_CWORD -gt 1 && $command != -* ]] || command=${unnamedCommand}
  case $before in
${options
  .filter(({ value }) => value !== null)
  .map(({ name, value }) => `    --${name}) ${offered(value ?? [])} ;;`)
  .join('\n')}
    *)
      if [[ $current == -* ]]; then
        case $command in
${commands.map(({ name, options: own }) => `          ${name}) words='${own.map((option) => `--${option.name}`).join(' ')}' ;;`).join('\n')}
        esac
        [[ $COMP_CWORD -ne 1 ]] || words="$words --version"
      elif [[ $COMP_CWORD -eq 1 ]]; then
        words='${names}'
      else
        case $command in
${commands.map(({ name, firstWord }) => `          ${name}) ${offered(firstWord)} ;;`).join('\n')}
        esac
        [[ $COMP_CWORD -eq 2 || -n $folders ]] || words=
      fi ;;
  esac
  if [[ -n $folders ]]; then
    local IFS=$'\\n'
    COMPREPLY=( $(compgen -d -- "$current") )
    compopt -o filenames 2>/dev/null
  else
    COMPREPLY=( $(compgen -W "$words" -- "$current") )
    if [[ $current == *:* && $COMP_WORDBREAKS == *:* ]]; then
      for i in "\${!COMPREPLY[@]}"; do COMPREPLY[i]=\${COMPREPLY[i]#"\${current%:*}:"}; done
    fi
  fi
}
complete -F _artwork_mcp artwork-mcp`;
}

function offered(what: readonly string[] | 'folder'): string {
  return what === 'folder' ? 'folders=1' : `words='${what.join(' ')}'`;
}

function unique(options: readonly CompletedOption[]): readonly CompletedOption[] {
  return [...new Map(options.map((option) => [option.name, option])).values()];
}
