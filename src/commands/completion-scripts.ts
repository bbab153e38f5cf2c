/** What a shell completes behind one command. */
export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  /** What its first word can be; an empty list: nothing that is known. */
  readonly firstWord: readonly string[] | 'folder';
}

export interface CompletedOption {
  readonly name: string;
  readonly about: string;
  /** null: it takes none; an empty list: one that no shell can know. */
  readonly value: readonly string[] | 'folder' | null;
}

/** The command that is meant where none is named. */
const unnamedCommand = 'serve';

/**
 * The script that completes this program's commands in bash. For bash from 3.2 on, which macOS has: without
 * mapfile, and without the functions of bash-completion. bash breaks `--index=on` at its `=` and `assets:write` at
 * its `:` into three words, and completes the last of them. bash 3.2 can't be told that words are names of files: it
 * inserts them as they are, so that they are quoted here, or a folder's name would be run.
 */
export function bashScript(commands: readonly CompletedCommand[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  const options = unique(commands.flatMap((command) => command.options));
  return `# artwork-mcp: completion for bash
_artwork_mcp() {
  local at=$COMP_CWORD current=\${COMP_WORDS[COMP_CWORD]} before command=\${COMP_WORDS[1]}
  local words= folders= folder= i
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
  .map(({ name, value }) => `    --${name}) ${wordsForBash(value ?? [])} ;;`)
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
${commands.map(({ name, firstWord }) => `          ${name}) ${wordsForBash(firstWord)} ;;`).join('\n')}
        esac
        [[ $COMP_CWORD -eq 2 || -n $folders ]] || words=
      fi ;;
  esac
  if [[ -n $folders ]]; then
    while IFS= read -r folder; do COMPREPLY+=("$folder"); done < <(compgen -d -- "$current")
    compopt -o filenames 2>/dev/null || for i in "\${!COMPREPLY[@]}"; do
      folder=\${COMPREPLY[i]}
      before=
      [[ $current != "~"* ]] || before="~"
      COMPREPLY[i]=$before$(printf '%q' "\${folder#"$before"}")/
    done
  else
    COMPREPLY=( $(compgen -W "$words" -- "$current") )
    if [[ $current == *:* && $COMP_WORDBREAKS == *:* ]]; then
      for i in "\${!COMPREPLY[@]}"; do COMPREPLY[i]=\${COMPREPLY[i]#"\${current%:*}:"}; done
    fi
  fi
}
complete -F _artwork_mcp artwork-mcp`;
}

function wordsForBash(what: readonly string[] | 'folder'): string {
  return what === 'folder' ? 'folders=1' : `words='${what.join(' ')}'`;
}

function unique(options: readonly CompletedOption[]): readonly CompletedOption[] {
  return [...new Map(options.map((option) => [option.name, option])).values()];
}

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
${commands.map(({ name, summary }) => `    ${quotedForZsh(`${name}:${summary}`)}`).join('\n')}
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
${commands.map(zshBranch).join('\n')}
  esac
}
if [[ $funcstack[1] == _artwork-mcp ]]; then
  _artwork-mcp "$@"
else
  compdef _artwork-mcp artwork-mcp
fi`;
}

function zshBranch({ name, options, firstWord }: CompletedCommand): string {
  const words =
    firstWord === 'folder'
      ? ["'*:folder:_files -/'"]
      : firstWord.length === 0
        ? []
        : [`'1:word:(${firstWord.join(' ')})'`];
  return `    ${name}) _arguments ${[...options.map(zshSpecification), ...words].join(' ')} ;;`;
}

function zshSpecification({ name, about, value }: CompletedOption): string {
  const about_ = about.replace(/[\\[\]:]/g, '\\$&');
  if (value === null) return quotedForZsh(`--${name}[${about_}]`);
  const action =
    value === 'folder'
      ? '_files -/'
      : value.length === 0
        ? ' '
        : `(${value.join(' ').replaceAll(':', '\\:')})`;
  return quotedForZsh(`--${name}=[${about_}]:value:${action}`);
}

function quotedForZsh(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * The script that completes this program's commands in fish. For fish from 3.0 on: one line for each command, word
 * and option.
 */
export function fishScript(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap(({ name, summary, options, firstWord }) => {
    const behind = `-n 'test (__artwork_mcp_command) = ${name}'`;
    const second = `-n 'test (count (commandline -opc)) -eq 2; and test (__artwork_mcp_command) = ${name}'`;
    const words =
      firstWord === 'folder'
        ? [`${behind} -a '(__fish_complete_directories)'`]
        : firstWord.map((word) => `${second} -a ${word}`);
    return [
      `-n 'test (count (commandline -opc)) -eq 1' -a ${name} -d ${quotedForFish(summary)}`,
      ...words,
      ...options.map((option) => `${behind} ${fishFlag(option)}`),
    ];
  });
  return `# artwork-mcp: completion for fish
function __artwork_mcp_command
  set -l words (commandline -opc)
  if test (count $words) -gt 1; and not string match -q -- '-*' $words[2]
    echo $words[2]
  else
    echo ${unnamedCommand}
  end
end
complete -c artwork-mcp -f
${lines.map((line) => `complete -c artwork-mcp ${line}`).join('\n')}`;
}

function fishFlag({ name, about, value }: CompletedOption): string {
  const offered =
    value === null
      ? ''
      : value === 'folder'
        ? " -x -a '(__fish_complete_directories)'"
        : value.length === 0
          ? ' -x'
          : ` -x -a ${quotedForFish(value.join(' '))}`;
  return `-l ${name}${offered} -d ${quotedForFish(about)}`;
}

function quotedForFish(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}

/**
 * The script that completes this program's commands in PowerShell. For PowerShell from 5.1 on. Folders are left to
 * its own completion, which it does where there is no other.
 */
export function powershellScript(commands: readonly CompletedCommand[]): string {
  return `# artwork-mcp: completion for PowerShell
Register-ArgumentCompleter -Native -CommandName artwork-mcp -ScriptBlock {
  param($current, $line, $cursor)
  $commands = @{
${commands.map(({ name, summary }) => `    ${quotedForPowershell(name)} = ${quotedForPowershell(summary)}`).join('\n')}
  }
  $words = @{
${commands.flatMap(({ name, firstWord }) => (firstWord === 'folder' ? [] : [`    ${quotedForPowershell(name)} = ${powershellList(firstWord)}`])).join('\n')}
  }
  $options = @{
${commands.map(({ name, options }) => `    ${quotedForPowershell(name)} = ${powershellTable(options)}`).join('\n')}
  }
  $values = @{
${unique(commands.flatMap(({ options }) => options))
  .flatMap(({ name, value }) =>
    value === null
      ? []
      : [`    ${quotedForPowershell(`--${name}`)} = ${powershellList(value === 'folder' ? [] : value)}`],
  )
  .join('\n')}
  }
  $before = @($line.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { $_.ToString() })
  $command = ${quotedForPowershell(unnamedCommand)}
  if ($before.Count -gt 1 -and $commands.ContainsKey($before[1])) { $command = $before[1] }
  $offered = @{}
  if ($before.Count -gt 1 -and $values.ContainsKey($before[-1])) {
    foreach ($value in $values[$before[-1]]) { $offered[$value] = $value }
  } elseif ($current.StartsWith('-')) {
    $offered = $options[$command]
  } elseif ($before.Count -eq 1) {
    $offered = $commands
  } elseif ($before.Count -eq 2 -and $words.ContainsKey($command)) {
    foreach ($word in $words[$command]) { $offered[$word] = $word }
  }
  $offered.GetEnumerator() | Where-Object { $_.Key.StartsWith($current) } | Sort-Object Key | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_.Key, $_.Key, 'ParameterValue', $_.Value)
  }
}`;
}

function powershellTable(options: readonly CompletedOption[]): string {
  return `@{ ${options.map(({ name, about }) => `${quotedForPowershell(`--${name}`)} = ${quotedForPowershell(about)}`).join('; ')} }`;
}

function powershellList(words: readonly string[]): string {
  return `@(${words.map(quotedForPowershell).join(', ')})`;
}

function quotedForPowershell(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
