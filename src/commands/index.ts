import { parseArgs } from 'node:util';
import { ArtworkError } from '../errors.ts';
import { signals } from '../machine.ts';
import { nearestWord } from '../mcp/nearest.ts';
import { ownCommand } from '../own-command.ts';
import { SandboxError } from '../sandbox/sandbox-error.ts';
import {
  type Flags,
  flagOf,
  readSettings,
  readTerminalWish,
  SettingsError,
  settingNames,
  variableOf,
} from '../settings.ts';
import { heedTerminalWish, noteLine, printLine } from '../terminal.ts';
import { version } from '../version.ts';
import {
  type Command,
  type CommandCall,
  CommandError,
  type NamedCommand,
  type Option,
  UsageError,
} from './command.ts';

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

/** The flags of all settings that have one, without their dashes. */
const settingFlags = settingNames.flatMap((name) => flagOf(name) ?? []);

/** Runs what the words after the program's name ask for, and sets the exit code. */
export async function runProgram(argv: readonly string[]): Promise<void> {
  heedTerminalWish(readTerminalWish());
  try {
    await runCommand(argv);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const usage = error instanceof UsageError || error instanceof SettingsError;
    noteLine(`artwork-mcp: ${inOneLine(error)}`);
    process.exitCode = usage ? 2 : 1;
  }
}

/** What no command caught would be printed with its words, which may hold secrets, and with a stack. */
function endWithOneLine(): void {
  // The reader has seen enough, as `head` has: there is nothing to tell, and no way to tell it. A command that has
  // something to tidy up does so where it is interrupted.
  process.stdout.on('error', (error) => {
    const code = 'code' in error ? String(error.code) : error.name;
    if (code !== 'EPIPE') noteLine(`artwork-mcp: the answer can't be written to stdout (${code}).`);
    if (!signals.askForEnd()) process.exit(1);
  });
  // Without readers of what is told beside the answer, the work goes on, and ends with the code of its own.
  process.stderr.on('error', () => undefined);
  process.on('uncaughtException', (error) => {
    noteLine(`artwork-mcp: ${inOneLine(error)}`);
    process.exit(1);
  });
}

/** Errors of ours are written for people; of any other only the name is told, since its words may hold secrets. */
function inOneLine(error: Error): string {
  const ours = [CommandError, SettingsError, ArtworkError, SandboxError].some(
    (kind) => error instanceof kind,
  );
  if (!ours) return `failed with ${error.name}`;
  const advice =
    error instanceof ArtworkError && error.next?.tool === undefined ? ` ${error.next?.why ?? ''}` : '';
  const lines = `${error.message}${advice}${guessOfWords(error)}`.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').join(' ');
}

/** What was most likely meant by words that a setting does not know. */
function guessOfWords(error: Error): string {
  if (!(error instanceof SettingsError) || error.unknown === null) return '';
  const { given, known } = error.unknown;
  const meant = given.map((word) => nearestWord(word, known)).filter((word) => word !== null);
  return meant.length === 0 ? '' : ` Did you mean ${meant.join(' ')}?`;
}

async function runCommand(argv: readonly string[]): Promise<void> {
  const wantsHelp = (words: readonly string[]) => words.includes('--help') || words.includes('-h');
  const [first] = argv;
  const named = first !== undefined && !first.startsWith('-');
  const name = named ? first : 'serve';
  const rest = named ? argv.slice(1) : argv;
  const asksOnly = argv.includes('--version') || wantsHelp(argv);
  // The server survives a call's defect, and says so itself.
  if (asksOnly || name !== 'serve') endWithOneLine();
  if (argv.includes('--version')) {
    return printLine(version);
  }
  if (name === 'help' || (!named && wantsHelp(argv))) return printHelpOf(name === 'help' ? rest : []);
  const command = await load(name);
  if (wantsHelp(rest)) return printHelpOf([name]);
  const call = parseCommandLine(name, command, rest);
  if (!named) refuseWordsBehindFlags(call.words);
  await command.run(call);
}

/** @throws UsageError where there is no such command */
async function load(name: string): Promise<Command> {
  const found = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (found !== undefined) return (await found()).command;
  const names = Object.keys(commands);
  throw new UsageError(
    `there is no command '${name}'${guess(nearestWord(name, names))}. Commands: ${names.join(', ')}. They are explained here: ${ownCommand('help')}`,
  );
}

function everyCommand(): Promise<readonly NamedCommand[]> {
  return Promise.all(Object.keys(commands).map(async (name) => [name, await load(name)] as const));
}

/** Without a command the server starts; a word behind its flags may be a command, and would open a folder as `serve` does. */
function refuseWordsBehindFlags([word]: readonly string[]): void {
  if (word === undefined) return;
  const name = word === 'help' || Object.hasOwn(commands, word) ? word : 'serve';
  const folder = name === 'serve' && word !== 'serve' ? ' [DIR…]' : '';
  throw new UsageError(
    `'${word}' stands behind a flag, and a command comes first: ${ownCommand(name)}${folder} [--flags].`,
  );
}

function parseCommandLine(name: string, command: Command, words: readonly string[]): CommandCall {
  const parsed = parseStrictly(name, command, words);
  if (parsed.positionals.length > command.words) {
    throw new UsageError(`too many words. Usage: ${command.usage}`);
  }
  const given: Readonly<Record<string, unknown>> = parsed.values;
  const flags: Flags = Object.fromEntries(
    settingNames.flatMap((name) => {
      const value = given[flagOf(name) ?? ''];
      return typeof value === 'string' ? [[variableOf(name), value]] : [];
    }),
  );
  const options = Object.fromEntries(
    Object.entries(given).flatMap(([key, value]) =>
      key in command.options && (typeof value === 'string' || typeof value === 'boolean')
        ? [[key, value]]
        : [],
    ),
  );
  return { settings: readSettings(process.env, flags), words: parsed.positionals, options };
}

function parseStrictly(name: string, command: Command, words: readonly string[]) {
  try {
    return parseArgs({
      args: withBareSwitches(words, command),
      options: Object.fromEntries([
        ...settingFlags.map((flag) => [flag, { type: 'string' }] as const),
        ...Object.entries<Option>(command.options).map(
          ([flag, { value }]) => [flag, { type: value === undefined ? 'boolean' : 'string' }] as const,
        ),
      ]),
      allowPositionals: true,
      strict: true,
    });
  } catch (error) {
    // parseArgs throws a TypeError whose message names the flag, and goes on to advise on Node's own terms.
    if (!(error instanceof TypeError)) throw error;
    const [what = ''] = error.message.split(/\.?(?:\s|$)(?=To |Did |$)/);
    throw new UsageError(`${what}${guess(meantFlag(what, command))}. ${flagsOf(name, command)}`);
  }
}

/** The flag that was most likely meant by the unknown one that a message names. */
function meantFlag(message: string, command: Command): string | null {
  const given = /^Unknown option '(-[^']*)'$/.exec(message)?.[1];
  if (given === undefined) return null;
  const short = { '-v': '--version', '-V': '--version' }[given];
  if (short !== undefined) return short;
  const names = [...Object.keys(command.options), ...settingFlags, 'help', 'version'];
  const meant = nearestWord(given.replace(/^-+/, ''), names);
  return meant === null ? null : `--${meant}`;
}

function flagsOf(name: string, command: Command): string {
  const own = Object.keys(command.options).map((option) => `--${option}`);
  const has = own.length === 0 ? 'no option of its own' : own.join(', ');
  return `${name} has ${has} and the settings. They are explained here: ${ownCommand('help', name)}`;
}

function guess(meant: string | null): string {
  return meant === null ? '' : ` (did you mean ${meant}?)`;
}

/** A switch without a value is on. */
function withBareSwitches(words: readonly string[], { firstWord = [] }: Command): string[] {
  return words.map((word, index) => {
    const next = words[index + 1];
    const isBare =
      next === undefined ||
      next.startsWith('-') ||
      Object.hasOwn(commands, next) ||
      (firstWord !== 'folder' && firstWord.includes(next));
    return word === '--read-only' && isBare ? '--read-only=true' : word;
  });
}

/** The whole program's help, that of all settings, or that of the command that is named. */
async function printHelpOf(words: readonly string[]): Promise<void> {
  const [name] = words.filter((word) => !word.startsWith('-'));
  const { printCommandHelp, printHelp, printSettingsHelp } = await import('./help.ts');
  if (name === undefined || name === 'help') printHelp(await everyCommand());
  else if (name === 'settings') printSettingsHelp();
  else printCommandHelp(await load(name));
}
