import { type CompletedCommand, type CompletedOption, unnamedCommand } from './table.ts';

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
      `-n 'test (count (commandline -opc)) -eq 1' -a ${name} -d ${quoted(summary)}`,
      ...words,
      ...options.map((option) => `${behind} ${flag(option)}`),
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

function flag({ name, about, value }: CompletedOption): string {
  const offered =
    value === null
      ? ''
      : value === 'folder'
        ? " -x -a '(__fish_complete_directories)'"
        : value.length === 0
          ? ' -x'
          : ` -x -a ${quoted(value.join(' '))}`;
  return `-l ${name}${offered} -d ${quoted(about)}`;
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
