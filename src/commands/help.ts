import { isStartedByName, ownCommand } from '../own-command.ts';
import {
  flagOf,
  type SettingName,
  settingNames,
  settingTable,
  variableOf,
  variablesOf,
} from '../settings.ts';
import { printLines } from '../terminal.ts';
import { version } from '../version.ts';
import type { Command, NamedCommand } from './command.ts';

const withFlag = settingNames.filter((name) => flagOf(name) !== null);

const everySetting = 'artwork-mcp help settings explains every setting.';

const exitCodes: readonly string[] = [
  'Exit codes:',
  '  0  done',
  '  1  failed; one line on stderr says why',
  '  2  wrong usage, or a setting that cannot be used; one line on stderr names it',
];

/** What the program is, and its commands. */
export function printHelp(commands: readonly NamedCommand[]): void {
  const flags = withFlag.map((name) => `--${flagOf(name)}`).join(', ');
  printLines([
    `artwork-mcp ${version}: an MCP server for curating artwork on an Artwork Catalogue Service`,
    '',
    'Usage: artwork-mcp [COMMAND] [--user NAME] [--SETTING VALUE ...]',
    ...(isStartedByName() ? [] : [`Instead of artwork-mcp, type ${ownCommand()}`]),
    '',
    'Commands:',
    ...commands.map(([name, { summary }]) => row(name, summary, 12)),
    '',
    'To begin:',
    '  artwork-mcp demo                     watch it work on a catalogue of its own',
    '  artwork-mcp connect                  sign in',
    '  artwork-mcp status --user second     see the connection of another person',
    '',
    `Settings: ${flags}. Each is also an ARTWORK_… variable.`,
    `artwork-mcp help COMMAND explains one command. ${everySetting}`,
    '',
    ...exitCodes,
  ]);
}

/** One command and its options. */
export function printCommandHelp(command: Command): void {
  const options = Object.entries(command.options).map(([name, { value = '', about }]) =>
    row(`--${name} ${value}`.trimEnd(), about),
  );
  printLines([
    command.usage,
    '',
    command.summary,
    ...(command.about === undefined ? [] : ['', ...command.about]),
    ...(options.length === 0 ? [] : ['', 'Options:', ...options]),
    '',
    `It takes every setting as an option too. ${everySetting}`,
    '',
    ...exitCodes,
    ...(command.exit === undefined ? [] : [`  ${command.exit}`]),
  ]);
}

/** Every setting with its flag, its variable and an example. */
export function printSettingsHelp(): void {
  printLines([
    'Every command takes each setting as an option, or from a variable of the environment. The option wins.',
    '',
    ...withFlag.flatMap(rowsOfSetting),
    '',
    'These have a variable only, since other programs can read the options of a process:',
    '',
    ...settingNames.filter((name) => flagOf(name) === null).flatMap(rowsOfSetting),
  ]);
}

function rowsOfSetting(name: SettingName): string[] {
  const { value, example, byDefault, about } = settingTable[name];
  const [flag, variable] = [flagOf(name), variableOf(name)];
  const words = plain(`${about}; default: ${byDefault}`);
  const [first, start] =
    flag === null
      ? [row(variablesOf(name).join(', '), words), `${variable}=`]
      : [row(`--${flag} ${value}`, `${words} (${variable})`), `--${flag} `];
  return [first, `${' '.repeat(28)}e.g. ${start}${example}`];
}

/** The document's Markdown as a terminal shows it. */
function plain(words: string): string {
  return words.replaceAll('`', '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
}

function row(name: string, about: string, width = 25): string {
  return `  ${name.padEnd(width)} ${about}`;
}
