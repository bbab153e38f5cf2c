import { parseArgs } from 'node:util';
import { ArtworkError } from '../errors.ts';
import { signals } from '../machine.ts';
import { ownCommand } from '../own-command.ts';
import { SandboxError } from '../sandbox/sandbox-error.ts';
import { flagOf, givenSetting, readSettings, SettingsError, settingNames, variableOf } from '../settings.ts';
import { noteLine, printLine } from '../terminal.ts';
import { version } from '../version.ts';
import {
  type Command,
  type CommandCall,
  CommandError,
  type NamedCommand,
  nextForPerson,
  UsageError,
} from './command.ts';

/** Each command is loaded only when it is run or explained, so that the server starts quickly. */
const commands: Readonly<Record<string, () => Promise<{ command: Command }>>> = {
  serve: () => import('./serve.ts'),
  connect: () => import('./connect.ts'),
  disconnect: () => import('./disconnect.ts'),
  status: () => import('./status.ts'),
  mutations: () => import('./mutations.ts'),
  index: () => import('./index-titles.ts'),
  update: () => import('./update.ts'),
  doctor: () => import('./doctor.ts'),
  sandbox: () => import('./sandbox.ts'),
  demo: () => import('./demo.ts'),
};
const names = Object.keys(commands);
const settingFlags = settingNames.flatMap((name) => flagOf(name) ?? []);

/** Runs what the words after the program's name ask for. Exit codes: 0 done, 1 failed, 2 wrong usage or setting. */
export async function runProgram(argv: readonly string[]): Promise<void> {
  try {
    await run(argv);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    noteLine(`artwork-mcp: ${inOneLine(error)}`);
    process.exitCode = error instanceof UsageError || error instanceof SettingsError ? 2 : 1;
  }
}

async function run(argv: readonly string[]): Promise<void> {
  const [first = ''] = argv;
  const isNamed = first !== '' && !first.startsWith('-');
  const name = isNamed ? first : 'serve';
  const rest = isNamed ? argv.slice(1) : argv;
  const wantsVersion = argv.includes('--version');
  const wantsHelp = name === 'help' || argv.includes('--help') || argv.includes('-h');
  // The server stays alive when a call fails unexpectedly, and reports it itself.
  if (wantsVersion || wantsHelp || name !== 'serve') endWithOneLine();
  if (wantsVersion) return printLine(version);
  if (wantsHelp)
    return explain(isNamed && name !== 'help' ? name : rest.find((word) => !word.startsWith('-')));
  const command = await load(name);
  const call = parse(name, command, rest);
  const [word] = call.words;
  if (!isNamed && word !== undefined) {
    const meant = [...names, 'help'].includes(word) ? word : 'serve DIR';
    throw new UsageError(`Put the command first, and its options behind it: ${ownCommand(meant)}`);
  }
  await command.run(call);
}

/** @throws UsageError where there is no such command */
async function load(name: string): Promise<Command> {
  const found = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (found !== undefined) return (await found()).command;
  throw new UsageError(
    `There is no command '${name}'. The commands are ${names.join(', ')}. Help: ${ownCommand('help')}`,
  );
}

async function explain(name: string | undefined): Promise<void> {
  const { printCommandHelp, printHelp, printSettingsHelp } = await import('./help.ts');
  if (name === 'settings') return printSettingsHelp();
  if (name !== undefined && name !== 'help') return printCommandHelp(await load(name));
  const all = names.map(async (each): Promise<NamedCommand> => [each, await load(each)]);
  printHelp(await Promise.all(all));
}

/** @throws UsageError, SettingsError */
function parse(name: string, command: Command, words: readonly string[]): CommandCall {
  const { values, positionals } = parseStrictly(name, command, words);
  if (positionals.length > command.words)
    throw new UsageError(`There are too many words. Usage: ${command.usage}`);
  const flags = new Map(settingNames.map((setting) => [flagOf(setting), variableOf(setting)]));
  const [settings, options]: [Record<string, string>, Record<string, string | boolean>] = [{}, {}];
  for (const [flag, value] of Object.entries(values)) {
    const variable = flags.get(flag);
    if (variable === undefined) options[flag] = value ?? true;
    else if (typeof value === 'string') settings[variable] = value;
  }
  return { settings: readSettings(process.env, settings), words: positionals, options };
}

function parseStrictly(name: string, { options }: Command, words: readonly string[]) {
  const own = Object.entries(options).map(
    ([flag, { value }]) => [flag, { type: value === undefined ? 'boolean' : 'string' }] as const,
  );
  const settings = settingFlags.map((flag) => [flag, { type: 'string' }] as const);
  const known = Object.fromEntries([...settings, ...own]);
  try {
    return parseArgs({ args: withBareSwitches(words), options: known, allowPositionals: true });
  } catch (error) {
    // Of Node's message only the first sentence is for people: it names the option.
    if (!(error instanceof TypeError)) throw error;
    const [problem = ''] = error.message.split(/\.\s|\.$|\n/);
    const has = own.map(([option]) => `--${option}`).join(', ') || 'no options of its own';
    throw new UsageError(
      `${problem}. '${name}' has ${has}, and takes the settings. Help: ${ownCommand('help', name)}`,
    );
  }
}

/** `--read-only` needs no value: what follows it is one only where it can be. */
function withBareSwitches(words: readonly string[]): string[] {
  return words.map((word, index) => {
    const next = words[index + 1];
    const isValue =
      next !== undefined && (givenSetting(next) === null || ['1', '0', 'true', 'false'].includes(next));
    return word === '--read-only' && !isValue ? '--read-only=1' : word;
  });
}

/** Handles what no command catches. Node would print its words, which may hold secrets, and a stack. */
function endWithOneLine(): void {
  process.stdout.on('error', (error) => {
    // EPIPE: the reader, such as `head`, has seen enough.
    const code = 'code' in error ? String(error.code) : error.name;
    if (code !== 'EPIPE') noteLine(`artwork-mcp: stdout can't be written (${code}).`);
    // A command that has something to tidy up does so as when it is interrupted.
    if (!signals.askForEnd()) process.exit(1);
  });
  process.on('uncaughtException', (error) => {
    noteLine(`artwork-mcp: ${inOneLine(error)}`);
    process.exit(1);
  });
}

/** Our own errors have words for people. Of all others only the name is shown, since they may quote secrets. */
function inOneLine(error: Error): string {
  const ours = [CommandError, SettingsError, ArtworkError, SandboxError];
  if (!ours.some((kind) => error instanceof kind))
    return `The program failed (${error.name}). This is a defect.`;
  const next = error instanceof ArtworkError ? nextForPerson(error) : null;
  return `${error.message} ${next ?? ''}`.replace(/\s+/g, ' ').trim();
}
