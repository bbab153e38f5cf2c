import { printLines } from '../terminal.ts';
import { version } from '../version.ts';
import type { Command, Option } from './command.ts';
import { settingFlags, variableOf } from './setting-flags.ts';

/** What the program is and which commands it has. */
export function printHelp(commands: readonly (readonly [name: string, command: Command])[]): void {
  printLines([
    `artwork-mcp ${version}: an MCP server for curating artwork on an Artwork Catalogue Service`,
    '',
    'Usage: artwork-mcp [COMMAND] [--user NAME] [--SETTING VALUE ...]',
    '',
    'Commands:',
    ...commands.map(([name, { summary }]) => `  ${name.padEnd(12)} ${summary}`),
    '',
    `Settings: ${Object.keys(settingFlags)
      .map((flag) => `--${flag}`)
      .join(', ')} (or ARTWORK_… variables)`,
    'artwork-mcp COMMAND --help explains the options of a command and every setting.',
  ]);
}

/** How one command is called: each of its options, each setting, and examples to copy. */
export function printCommandHelp({ usage, summary, options, examples }: Command): void {
  const own = Object.entries(options);
  printLines([
    usage,
    '',
    summary,
    ...(own.length === 0 ? [] : ['', 'Options:', ...own.map(([name, option]) => rowOf(name, option))]),
    '',
    'Settings, which variables of the environment can hold as well:',
    ...Object.entries(settingFlags).map(([name, option]) => `${rowOf(name, option)} (${variableOf(name)})`),
    '',
    examples.length === 1 ? 'Example:' : 'Examples:',
    ...examples.map((example) => `  ${example}`),
  ]);
}

function rowOf(name: string, { value, about }: Option): string {
  return `  ${`--${name}${value === undefined ? '' : ` ${value}`}`.padEnd(20)} ${about}`;
}
