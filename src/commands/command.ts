import { logLevels } from '../log.ts';
import { indexModes, type Settings, toolsets } from '../settings.ts';

/** What a command gets: the checked settings, its own words and flags. */
export interface CommandCall {
  readonly settings: Settings;
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, string | boolean>>;
}

export type NamedCommand = readonly [name: string, command: Command];

export interface Option {
  /** What stands for its value in the help. Left out: it takes none. */
  readonly value?: string;
  /** Without a value it is a switch that is on. */
  readonly isValueOptional?: boolean;
  readonly about: string;
  /** Written out, with a value where it takes one: the flag of a setting, or a whole command line. */
  readonly example: string;
}

export interface Command {
  readonly summary: string;
  /** What it does, where the summary does not tell all that a person wants to know before it is run. */
  readonly about?: readonly string[];
  readonly usage: string;
  /** Flags of this command alone, beside those of every command. */
  readonly options: Readonly<Record<string, Option>>;
  /** The settings that matter for it, which its help explains; it takes every other one too. */
  readonly settings: readonly SettingFlag[];
  /** Whole command lines, to copy. */
  readonly examples: readonly string[];
  /** Most words after the command's name. */
  readonly words: number;
  /** What the first word can be: one of these, or a folder. Left out: it has none, or anything. */
  readonly firstWord?: readonly string[] | 'folder';
  /** What its exit code says beyond what that of every command says. */
  readonly exit?: string;
  run(call: CommandCall): Promise<void>;
}

/** A command's own failure, in words for the person who runs it: exit code 1 and one line. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
}

/** Wrong usage: exit code 2 and one line. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError';
}

/** Each setting has a flag of its name, except the secrets. */
export const settingFlags = {
  'base-url': {
    value: 'URL',
    about: "the service's API base address; left out: the embedded catalogue",
    example: '--base-url https://catalogue.example/api',
  },
  'auth-url': {
    value: 'URL',
    about: "host of the service's sign-in pages",
    example: '--auth-url https://catalogue.example',
  },
  'asset-url': {
    value: 'URL',
    about: 'origin of root-relative picture paths',
    example: '--asset-url https://pictures.example',
  },
  'client-id': {
    value: 'ID',
    about: 'the app that you registered on the service',
    example: '--client-id 4f0c1a7e',
  },
  'redirect-uri': {
    value: 'URL',
    about: 'the exact registered callback',
    example: '--redirect-uri http://127.0.0.1:43917/callback',
  },
  scopes: {
    value: '"A B"',
    about: 'scopes that a sign-in asks for, separated by spaces; left out: all',
    example: '--scopes "openid offline_access assets:write"',
  },
  user: {
    value: 'NAME',
    about: 'whose stored connection is used, where several people share this machine',
    example: '--user second',
  },
  home: {
    value: 'DIR',
    about: 'the data directory',
    example: '--home ~/artwork-data',
  },
  'upload-roots': {
    value: 'DIRS',
    about: 'folders that files may be read from, as in PATH',
    example: '--upload-roots /home/me/posters:/mnt/cards',
  },
  'download-root': {
    value: 'DIR',
    about: 'the folder that artwork may be downloaded below',
    example: '--download-root /mnt/media/artwork',
  },
  index: {
    value: indexModes.join('|'),
    about: 'whether titles are kept to be found by name',
    example: '--index passive',
  },
  'read-only': {
    value: '1|0',
    isValueOptional: true,
    about: 'hides every tool that changes the catalogue; without a value it is on',
    example: '--read-only',
  },
  toolsets: {
    value: 'A,B',
    about: `any of ${toolsets.join(',')}; left out: all`,
    example: '--toolsets catalogue,me',
  },
  'log-level': {
    value: 'LEVEL',
    about: `${logLevels.slice(0, -1).join(', ')} or ${logLevels.at(-1)}; the log is on stderr`,
    example: '--log-level debug',
  },
} as const satisfies Readonly<Record<string, Option>>;

/** The settings without a flag: other programs can read the flags of a process. */
export const secretVariables = {
  ARTWORK_CLIENT_SECRET: {
    about: 'the secret of an app that is registered as confidential; its callback must be https',
    example: 'ARTWORK_CLIENT_SECRET=…',
  },
  ARTWORK_CLIENT_SECRET_FILE: {
    about: 'a file that holds the secret, for this user alone',
    example: 'ARTWORK_CLIENT_SECRET_FILE=/home/me/artwork-secret',
  },
  ARTWORK_STORE: {
    about: 'a PostgreSQL database that several machines share; left out: a file in the data directory',
    example: 'ARTWORK_STORE=postgres://artwork:…@host/artwork?sslmode=verify-full',
  },
  ARTWORK_STORE_FILE: {
    about: 'a file that holds that URL, for this user alone',
    example: 'ARTWORK_STORE_FILE=/home/me/artwork-store',
  },
  ARTWORK_STORE_KEY_FILE: {
    about: 'the file with the sealing key, the same on each of these machines',
    example: 'ARTWORK_STORE_KEY_FILE=/home/me/artwork-key',
  },
} as const satisfies Readonly<Record<string, Option>>;

export type SettingFlag = keyof typeof settingFlags;

/** The flags of all settings, in their order. */
export const allSettings = Object.keys(settingFlags).filter(isSettingFlag);

function isSettingFlag(name: string): name is SettingFlag {
  return Object.hasOwn(settingFlags, name);
}

/** The variable of a setting's flag. */
export function variableOf(flag: string): string {
  return `ARTWORK_${flag.toUpperCase().replaceAll('-', '_')}`;
}
