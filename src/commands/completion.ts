import { nearestWord } from '../mcp/nearest.ts';
import { printLines } from '../terminal.ts';
import { type Command, type NamedCommand, settingFlags, UsageError } from './command.ts';
import {
  bashScript,
  type CompletedCommand,
  type CompletedOption,
  fishScript,
  powershellScript,
  zshScript,
} from './completion-scripts.ts';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript, powershell: powershellScript } as const;
const shells = Object.keys(scripts);

export const command: Command = {
  summary: 'prints a script by which a shell completes commands, options and their values',
  usage: `artwork-mcp completion ${shells.join('|')}`,
  options: {},
  settings: [],
  examples: [
    'source <(artwork-mcp completion bash)                            in ~/.bashrc',
    'source <(artwork-mcp completion zsh)                             in ~/.zshrc, behind compinit',
    'artwork-mcp completion fish > ~/.config/fish/completions/artwork-mcp.fish',
    'artwork-mcp completion powershell | Out-String | Invoke-Expression    in $PROFILE',
  ],
  words: 1,
  firstWord: shells,
  async run({ words: [shell], everyCommand }) {
    const script = Object.entries(scripts).find(([name]) => name === shell)?.[1];
    if (script !== undefined) return printLines(script(tableOf(await everyCommand())).split('\n'));
    const meant = nearestWord(shell, shells);
    const told =
      shell === undefined
        ? 'the shell is missing'
        : `'${shell}' is no shell that is known${meant === null ? '' : ` (did you mean ${meant}?)`}`;
    throw new UsageError(`${told}. Usage: ${command.usage}`);
  },
};

/** What can be typed behind each command, from the table that the help is made from. */
function tableOf(commands: readonly NamedCommand[]): readonly CompletedCommand[] {
  const help: CompletedOption = { name: 'help', about: 'explains the command', value: null };
  const settings = Object.entries(settingFlags).map(([name, option]) => completed(name, option));
  const known = commands.map(
    ([name, { summary, options, firstWord = [] }]): CompletedCommand => ({
      name,
      summary,
      firstWord,
      options: [
        ...Object.entries(options).map(([option, what]) => completed(option, what)),
        ...settings,
        help,
      ],
    }),
  );
  const names = [...known.map(({ name }) => name), 'settings'];
  return [
    ...known,
    { name: 'help', summary: 'explains the program, or one command', firstWord: names, options: [] },
  ];
}

function completed(name: string, option: Command['options'][string]): CompletedOption {
  const { about, value, choices = [], isFolder = false, isValueOptional = false } = option;
  const isSwitch = value === undefined || isValueOptional;
  return { name, about, value: isSwitch ? null : isFolder ? 'folder' : choices };
}
