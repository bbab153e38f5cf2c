import { isStartedByName, ownCommand } from '../own-command.ts';
import {
  flagOf,
  type SettingName,
  settingNames,
  settingTable,
  variableOf,
  variablesOf,
} from '../settings.ts';
import { type Line, printLines } from '../terminal.ts';
import { version } from '../version.ts';
import type { Command, NamedCommand, Option } from './command.ts';

const exitCodes = [
  heading('Exit codes:'),
  '  0  it is done',
  '  1  it failed; one line on stderr says why',
  '  2  wrong usage, or an unusable setting; one line on stderr names it',
];

/** What the program is and which commands it has. */
export function printHelp(commands: readonly NamedCommand[]): void {
  printLines([
    `artwork-mcp ${version}: an MCP server for curating artwork on an Artwork Catalogue Service`,
    '',
    'Usage: artwork-mcp [COMMAND] [--user NAME] [--SETTING VALUE ...]',
    ...(isStartedByName() ? [] : [`Here artwork-mcp stands for ${ownCommand()}`]),
    '',
    heading('Commands:'),
    ...commands.map(
      ([name, { summary }]): Line => ['  ', { style: 'cyan', text: name.padEnd(12) }, ` ${summary}`],
    ),
    '',
    heading('To begin:'),
    '  artwork-mcp demo                     watch it work, on a catalogue of its own',
    '  artwork-mcp connect                  sign in',
    '  artwork-mcp status --user second     how the connection of another person stands',
    '',
    `Settings: ${withFlag.map((name) => `--${flagOf(name)}`).join(', ')} (or ARTWORK_… variables)`,
    'artwork-mcp help COMMAND explains a command and its options, artwork-mcp help settings every setting.',
    '',
    ...exitCodes,
  ]);
}

/** How one command is called: its options and the settings that matter for it, with examples, and lines to copy. */
export function printCommandHelp({
  usage,
  summary,
  about = [],
  options,
  settings,
  examples,
  exit,
}: Command): void {
  const own = Object.entries(options);
  printLines([
    usage,
    '',
    summary,
    ...(about.length === 0 ? [] : ['', ...about]),
    ...(own.length === 0
      ? []
      : [
          '',
          heading('Options:'),
          ...own.flatMap(([name, option]) => rowsOf(flagWith(name, option), option)),
        ]),
    ...(settings.length === 0
      ? []
      : [
          '',
          heading('Settings, which variables of the environment can hold as well:'),
          ...rowsOfSettings(settings),
        ]),
    ...(settings.length === 0 || settings.length === settingNames.length
      ? []
      : ['', 'artwork-mcp help settings explains the other settings too.']),
    '',
    heading(examples.length === 1 ? 'Example:' : 'Examples:'),
    ...examples.map((example) => `  ${example}`),
    '',
    ...exitCodes,
    ...(exit === undefined ? [] : [`  ${exit}`]),
  ]);
}

/** Every setting, with its flag, its variable and an example. */
export function printSettingsHelp(): void {
  printLines([
    'Settings: each is a flag of every command, and a variable of the environment; the flag wins.',
    '',
    ...rowsOfSettings(withFlag),
    '',
    'Variables without a flag, since other programs can read the flags of a process:',
    '',
    ...rowsOfSettings(settingNames.filter((name) => flagOf(name) === null)),
  ]);
}

const withFlag = settingNames.filter((name) => flagOf(name) !== null);

function rowsOfSettings(names: readonly SettingName[]): Line[] {
  return names.flatMap((name) => {
    const { value, example, byDefault, about } = settingTable[name];
    const [flag, variable] = [flagOf(name), variableOf(name)];
    const words = `${plain(about)}; left out: ${plain(byDefault)}`;
    if (flag === null) {
      return rowsOf(variablesOf(name).join(', '), { about: words, example: `${variable}=${example}` });
    }
    return rowsOf(`--${flag} ${value}`, { about: `${words} (${variable})`, example: `--${flag} ${example}` });
  });
}

/** Words of the documents as a terminal shows them. */
function plain(words: string): string {
  return words.replaceAll('`', '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
}

function heading(text: string): Line {
  return [{ style: 'bold', text }];
}

const column = 25;

function flagWith(name: string, { value }: Option): string {
  return `--${name}${value === undefined ? '' : ` ${value}`}`;
}

function rowsOf(name: string, { about, example }: Pick<Option, 'about' | 'example'>): Line[] {
  return [
    ['  ', { style: 'cyan', text: name }, ' '.repeat(Math.max(2, column - name.length)), about],
    [' '.repeat(column + 2), { style: 'dim', text: `e.g. ${example}` }],
  ];
}
