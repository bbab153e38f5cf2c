import { logLevels } from './log.ts';
import { type Paths, paths } from './machine.ts';
import {
  address,
  callback,
  dataFolder,
  folder,
  folders,
  type Given,
  givenSetting,
  isOn,
  oneOf,
  origin,
  type Source,
  secretIn,
  sharedStore,
  someOf,
  userName,
} from './setting-checks.ts';

export { givenSetting, isLoopback, SettingsError } from './setting-checks.ts';

export const toolsets = ['catalogue', 'me', 'curate', 'account'] as const;
export type Toolset = (typeof toolsets)[number];

/** Every scope of the interface document's table (Authentication, scopes). */
export const allScopes = [
  'openid',
  'profile',
  'offline_access',
  'assets:write',
  'assets:replace',
  'sets:write',
  'groups:write',
  'relationships:write',
] as const;

/** Those that the table does not have. */
export function unknownScopes(scopes: readonly string[]): readonly string[] {
  return scopes.filter((scope) => !allScopes.some((known) => known === scope));
}

/** One setting: what its help, its check and its row in docs/settings.md say of it. */
interface Setting<Value> {
  /** What stands for its value in the help. */
  readonly value: string;
  /** A secret has no option, since other programs can read those of a process. `file`: `…_FILE` may name a file. */
  readonly secret?: 'file' | 'value';
  readonly about: string;
  readonly example: string;
  /** In words: what holds where it is unset. */
  readonly byDefault: string;
  /** @throws SettingsError where it can't be used */
  check(given: Given, source: Source): Value;
}

function setting<Value>(one: Setting<Value>): Setting<Value> {
  return one;
}

/**
 * Every setting, in the order of help and documents. The name of a member makes its variable and its option: `baseUrl`
 * is ARTWORK_BASE_URL and --base-url.
 */
export const settingTable = {
  /** `{base_url}` without a slash at its end; null: the embedded catalogue. */
  baseUrl: setting({
    value: 'URL',
    about: "the base address of the service's API; it may have a path",
    example: 'https://catalogue.example/api',
    byDefault: 'the embedded catalogue',
    check: address,
  }),
  /** `{auth_url}` without a slash at its end; null: the origin of the base URL. */
  authUrl: setting({
    value: 'URL',
    about: "the address of the service's sign-in pages",
    example: 'https://catalogue.example',
    byDefault: 'the origin of the base URL',
    check: address,
  }),
  /** The origin of root-relative Asset paths; null: that of the base URL. */
  assetUrl: setting({
    value: 'URL',
    about: 'the origin of picture paths that begin with `/`',
    example: 'https://pictures.example',
    byDefault: 'the origin of the base URL',
    check: origin,
  }),
  clientId: setting({
    value: 'ID',
    about: 'the app that you registered on the service',
    example: '4f0c1a7e',
    byDefault: "the embedded catalogue's own app",
    check: ({ value }) => value,
  }),
  clientSecret: setting({
    value: '…',
    secret: 'file',
    about: 'the secret of a confidential app, or a file with it; the callback must be https',
    example: '…',
    byDefault: 'none: a public app',
    check: (_, { environment }) => secretIn(environment, 'ARTWORK_CLIENT_SECRET'),
  }),
  redirectUri: setting({
    value: 'URL',
    about: 'the exact callback that is registered for the app',
    example: 'http://127.0.0.1:43917/callback',
    byDefault: '`http://127.0.0.1:43917/callback`',
    check: callback,
  }),
  scopes: setting({
    value: '"A B"',
    about: 'the permissions (scopes) that a sign-in asks for, separated by spaces',
    example: '"openid offline_access assets:write"',
    byDefault: 'all',
    check: (given) => someOf(given, allScopes),
  }),
  user: setting({
    value: 'NAME',
    about: 'whose connection and changes these are, if several people share this machine',
    example: 'second',
    byDefault: '`default`',
    check: userName,
  }),
  /** null: the store is a file in the data directory. */
  store: setting({
    value: 'URL',
    secret: 'file',
    about: 'a PostgreSQL database that [several machines](several-machines.md) share, or a file with its URL',
    example: 'postgres://artwork:…@host/artwork?sslmode=verify-full',
    byDefault: 'none: a file in the data directory',
    check: sharedStore,
  }),
  /** Checked with the store that needs it. */
  storeKeyFile: setting({
    value: 'FILE',
    secret: 'value',
    about: 'the absolute path of the file with the sealing key that these machines share',
    example: '/home/me/artwork-key',
    byDefault: "none: this machine's own key",
    check: ({ value }) => value,
  }),
  home: setting({
    value: 'DIR',
    about: 'the absolute path of the data directory',
    example: '~/artwork-data',
    byDefault: "the platform's data directory",
    check: dataFolder,
  }),
  /** Empty: uploads are refused, unless the host offers folders. */
  uploadRoots: setting({
    value: 'DIRS',
    about:
      'the folders that files may be read from, separated as in `PATH`; `.` is the folder that the server starts in; `serve DIR…` does the same',
    example: '/home/me/posters:/mnt/cards',
    byDefault: 'none: uploads are refused',
    check: folders,
  }),
  /** null: downloads are refused. */
  downloadRoot: setting({
    value: 'DIR',
    about: 'the absolute path of the folder that `download_set` may write below',
    example: '/mnt/media/artwork',
    byDefault: 'none: downloads are refused',
    check: folder,
  }),
  index: setting({
    value: 'on|passive|off',
    about:
      'what `find_titles` searches. `on`: part of the catalogue, which is read for it; `passive`: only what was read anyway; `off`: nothing',
    example: 'passive',
    byDefault: '`on`',
    check: (given) => oneOf(given, ['on', 'passive', 'off']),
  }),
  readOnly: setting({
    value: '1|0',
    about:
      'hides and refuses every tool that changes something on the service; the account tools and `download_set` stay',
    example: '1',
    byDefault: 'off',
    check: isOn,
  }),
  toolsets: setting({
    value: 'A,B',
    about: `any of \`${toolsets.join(',')}\``,
    example: 'catalogue,me',
    byDefault: 'all',
    check: (given) => someOf(given, toolsets),
  }),
  logLevel: setting({
    value: 'LEVEL',
    about: `how much is logged on stderr: ${logLevels.map((level) => `\`${level}\``).join(', ')}`,
    example: 'debug',
    byDefault: '`info`',
    check: (given) => oneOf(given, ['info', 'error', 'warn', 'debug']),
  }),
};

export type SettingName = keyof typeof settingTable;

/** What the person set, checked, and frozen from the start on. */
export type Settings = {
  readonly [Name in SettingName]: ReturnType<(typeof settingTable)[Name]['check']>;
};

export const settingNames = Object.keys(settingTable).filter((name): name is SettingName =>
  Object.hasOwn(settingTable, name),
);

/** The variable of a setting: ARTWORK_BASE_URL of `baseUrl`. */
export function variableOf(name: SettingName): string {
  return `ARTWORK_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** Every variable that can hold a setting. */
export function variablesOf(name: SettingName): readonly string[] {
  const { secret }: Setting<unknown> = settingTable[name];
  return [variableOf(name), ...(secret === 'file' ? [`${variableOf(name)}_FILE`] : [])];
}

/** The option of a setting without its dashes: base-url of `baseUrl`; null: a secret has none. */
export function flagOf(name: SettingName): string | null {
  const { secret }: Setting<unknown> = settingTable[name];
  return secret === undefined ? name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) : null;
}

/**
 * Reads and checks every setting. Empty values and unfilled placeholders count as unset.
 * @param flags values of the command line by their variable, which win over the environment
 * @param machine how paths are written, and where data is
 * @throws SettingsError for the first setting that can't be used
 */
export function readSettings(
  environment: NodeJS.ProcessEnv = process.env,
  flags: Readonly<Partial<Record<string, string>>> = {},
  machine: Paths = paths,
): Settings {
  const checked = settingNames.map((name) => {
    const variable = variableOf(name);
    const flag = flagOf(name) === null ? null : givenSetting(flags[variable]);
    const given =
      flag === null
        ? { name: variable, value: givenSetting(environment[variable]) }
        : { name: `--${flagOf(name)}`, value: flag };
    return [name, settingTable[name].check(given, { environment, machine })] as const;
  });
  // Each name has the answer of its own check, which no type can follow through a list.
  return Object.freeze(Object.fromEntries(checked) as Settings);
}
