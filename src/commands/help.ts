import { type Line, printLines } from '../terminal.ts';
import { version } from '../version.ts';
import {
  allSettings,
  type Command,
  type NamedCommand,
  type Option,
  type SettingFlag,
  settingFlags,
  variableOf,
} from './command.ts';

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
    `Settings: ${allSettings.map((flag) => `--${flag}`).join(', ')} (or ARTWORK_… variables)`,
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
      : ['', heading('Options:'), ...own.flatMap(([name, option]) => rowsOf(name, option))]),
    ...(settings.length === 0
      ? []
      : [
          '',
          heading('Settings, which variables of the environment can hold as well:'),
          ...rowsOfSettings(settings),
        ]),
    ...(settings.length === 0 || settings.length === allSettings.length
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

/** Every setting as a flag, with its variable and an example. */
export function printSettingsHelp(): void {
  printLines([
    'Settings: each is a flag of every command, and a variable of the environment; the flag wins.',
    '',
    ...rowsOfSettings(allSettings),
  ]);
}

function rowsOfSettings(flags: readonly SettingFlag[]): Line[] {
  return flags.flatMap((name) => rowsOf(name, settingFlags[name], variableOf(name)));
}

function heading(text: string): Line {
  return [{ style: 'bold', text }];
}

const column = 25;

function rowsOf(name: string, { value, about, example }: Option, variable?: string): Line[] {
  const flag = `--${name}${value === undefined ? '' : ` ${value}`}`;
  const explained = variable === undefined ? about : `${about} (${variable})`;
  return [
    ['  ', { style: 'cyan', text: flag }, ' '.repeat(Math.max(2, column - flag.length)), explained],
    [' '.repeat(column + 2), { style: 'dim', text: `e.g. ${example}` }],
  ];
}
