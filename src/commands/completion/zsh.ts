import { type CompletedCommand, type CompletedOption, unnamedCommand } from './table.ts';

/**
 * The script that completes this program's commands in zsh. For zsh with compinit: to be sourced, or saved as
 * `_artwork-mcp` in a folder of fpath.
 */
export function zshScript(commands: readonly CompletedCommand[]): string {
  return `#compdef artwork-mcp
# artwork-mcp: completion for zsh
_artwork-mcp() {
  local command=${unnamedCommand}
  local -a commands=(
${commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
    _describe -t commands command commands
    return
  fi
  if [[ $words[2] != -* ]]; then
    command=$words[2]
    words=($words[1] "\${(@)words[3,-1]}")
    (( CURRENT-- ))
  fi
  case $command in
${commands.map(branch).join('\n')}
  esac
}
if [[ $funcstack[1] == _artwork-mcp ]]; then
  _artwork-mcp "$@"
else
  compdef _artwork-mcp artwork-mcp
fi`;
}

function branch({ name, options, firstWord }: CompletedCommand): string {
  const words =
    firstWord === 'folder'
      ? ["'*:folder:_files -/'"]
      : firstWord.length === 0
        ? []
        : [`'1:word:(${firstWord.join(' ')})'`];
  return `    ${name}) _arguments ${[...options.map(specification), ...words].join(' ')} ;;`;
}

function specification({ name, about, value }: CompletedOption): string {
  const about_ = about.replace(/[\\[\]:]/g, '\\$&');
  if (value === null) return quoted(`--${name}[${about_}]`);
  const action =
    value === 'folder'
      ? '_files -/'
      : value.length === 0
        ? ' '
        : `(${value.join(' ').replaceAll(':', '\\:')})`;
  return quoted(`--${name}=[${about_}]:value:${action}`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
