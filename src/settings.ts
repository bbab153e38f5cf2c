import { readFileSync, statSync } from 'node:fs';
import { logLevels } from './log.ts';
import { type Paths, paths } from './machine.ts';
import type { TerminalWish } from './terminal.ts';

export const toolsets = ['catalogue', 'me', 'curate', 'account'] as const;
export type Toolset = (typeof toolsets)[number];

export const indexModes = ['on', 'passive', 'off'] as const;

/** Every scope of the interface document's scope table (Authentication). */
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

/** One setting: all that its help, its checks and its row in docs/settings.md say of it. */
interface Setting<Value> {
  /** What stands for its value in the help. */
  readonly value: string;
  /** A flag of it without a value means on. */
  readonly isSwitch?: true;
  /** A secret has no flag, since other programs can read the flags of a process; `file`: `…_FILE` may name a file with it. */
  readonly secret?: 'file' | 'value';
  readonly about: string;
  readonly example: string;
  /** What holds where it is unset, in words. */
  readonly byDefault: string;
  /** @throws SettingsError where it can't be used */
  check(given: Given, from: Source): Value;
}

/** What else a check may look at. */
interface Source {
  readonly environment: NodeJS.ProcessEnv;
  /** How paths are written, and where data is. */
  readonly machine: Paths;
}

function setting<Value>(one: Setting<Value>): Setting<Value> {
  return one;
}

/**
 * Every setting, in the order in which help and documents name them. A member's name makes its variable and its flag:
 * `baseUrl` is ARTWORK_BASE_URL and --base-url.
 */
export const settingTable = {
  /** `{base_url}` without a trailing slash, or null for the embedded catalogue. */
  baseUrl: setting({
    value: 'URL',
    about: "the service's API base address, may carry a path prefix",
    example: 'https://catalogue.example/api',
    byDefault: 'unset: the embedded catalogue',
    check: address,
  }),
  /** `{auth_url}` without a trailing slash, or null for the origin of the base URL. */
  authUrl: setting({
    value: 'URL',
    about: "host of the service's sign-in pages",
    example: 'https://catalogue.example',
    byDefault: 'origin of the base URL',
    check: address,
  }),
  /** Origin that root-relative Asset paths resolve against, or null for the origin of the base URL. */
  assetUrl: setting({
    value: 'URL',
    about: 'origin that picture paths beginning with `/` belong to',
    example: 'https://pictures.example',
    byDefault: 'origin of the base URL',
    check: origin,
  }),
  clientId: setting({
    value: 'ID',
    about: 'the app that you registered on the service',
    example: '4f0c1a7e',
    byDefault: "the embedded catalogue's own app",
    check: ({ value }) => value,
  }),
  /** Where the client secret is, never the secret itself: it is read when it is needed. */
  clientSecret: setting({
    value: '…',
    secret: 'file',
    about:
      'the secret of an app that is registered as confidential, or a file with it; its callback must be https',
    example: '…',
    byDefault: 'none: public app',
    check: ({ name }, { environment }) => readSecret(environment, name),
  }),
  redirectUri: setting({
    value: 'URL',
    about: 'the exact registered callback',
    example: 'http://127.0.0.1:43917/callback',
    byDefault: '`http://127.0.0.1:43917/callback`',
    check: callback,
  }),
  scopes: setting({
    value: '"A B"',
    about: 'permissions (scopes) that a sign-in asks for, separated by spaces',
    example: '"openid offline_access assets:write"',
    byDefault: 'all',
    check: scopeList,
  }),
  user: setting({
    value: 'NAME',
    about: 'whose connection and whose changes these are, where several people share this machine',
    example: 'second',
    byDefault: '`default`',
    check: userName,
  }),
  /** What several machines share; null: everything is in the data directory. */
  store: setting({
    value: 'URL',
    secret: 'file',
    about: 'a PostgreSQL database that [several machines](several-machines.md) share, or a file with its URL',
    example: 'postgres://artwork:…@host/artwork?sslmode=verify-full',
    byDefault: 'none: a file in the data directory',
    check: (_, { environment, machine }) => sharedStore(environment, machine),
  }),
  /** Absolute path, checked where there is such a store. */
  storeKeyFile: setting({
    value: 'FILE',
    secret: 'value',
    about: 'the file with the sealing key that these machines share, an absolute path',
    example: '/home/me/artwork-key',
    byDefault: "none: a key of this machine's own",
    check: ({ value }) => value,
  }),
  /** Absolute path of the data directory. */
  home: setting({
    value: 'DIR',
    about: 'the data directory, an absolute path',
    example: '~/artwork-data',
    byDefault: "the platform's data directory",
    check: dataFolder,
  }),
  /** Absolute paths. Empty: uploads are refused unless the host names roots. */
  uploadRoots: setting({
    value: 'DIRS',
    about:
      'folders that files may be read from, separated as in `PATH`; `.` is the one that the server is started in; `serve DIR…` does the same',
    example: '/home/me/posters:/mnt/cards',
    byDefault: 'none',
    check: uploadRoots,
  }),
  /** Absolute path of the folder that artwork may be downloaded below; null: none. */
  downloadRoot: setting({
    value: 'DIR',
    about: 'the folder that `download_set` may write below, an absolute path',
    example: '/mnt/media/artwork',
    byDefault: 'none',
    check: downloadRoot,
  }),
  /** Whether titles are kept to be found by name; `on` also reads the catalogue for them. */
  index: setting({
    value: indexModes.join('|'),
    about:
      '`on`: `find_titles` finds what was read, and some of the catalogue is read for it (below); `passive`: only what is read anyway; `off`: nothing is kept, and nothing is found by name',
    example: 'passive',
    byDefault: '`on`',
    check: (given) => oneOf(given, indexModes, 'on'),
  }),
  readOnly: setting({
    value: '1|0',
    isSwitch: true,
    about:
      "hides and refuses every tool that changes something in the catalogue, and keeps only the prompts `onboard` and `weekly_review`; the account's tools stay, and so does `download_set`, which writes on your disk alone",
    example: '1',
    byDefault: 'off',
    check: onOff,
  }),
  toolsets: setting({
    value: 'A,B',
    about: `any of \`${toolsets.join(',')}\``,
    example: 'catalogue,me',
    byDefault: 'all',
    check: (given) => listOf(given, toolsets),
  }),
  logLevel: setting({
    value: 'LEVEL',
    about: `${logLevels.map((level) => `\`${level}\``).join(', ')}; the log is on stderr`,
    example: 'debug',
    byDefault: '`info`',
    check: (given) => oneOf(given, logLevels, 'info'),
  }),
};

export type SettingName = keyof typeof settingTable;

/** What the person set, checked. Frozen: nothing changes after the start. */
export type Settings = {
  readonly [Name in SettingName]: ReturnType<(typeof settingTable)[Name]['check']>;
};

/** The names of all settings, in their order. */
export const settingNames = Object.keys(settingTable).filter((name): name is SettingName =>
  Object.hasOwn(settingTable, name),
);

/** The variable of a setting: ARTWORK_BASE_URL of `baseUrl`. */
export function variableOf(name: SettingName): string {
  return `ARTWORK_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** The variables that can hold a setting: a secret's, and the one that names a file with it. */
export function variablesOf(name: SettingName): readonly string[] {
  const { secret }: Setting<unknown> = settingTable[name];
  const variable = variableOf(name);
  return secret === 'file' ? [variable, `${variable}_FILE`] : [variable];
}

/** The flag of a setting, without its dashes: base-url of `baseUrl`; null: a secret has none. */
export function flagOf(name: SettingName): string | null {
  const { secret }: Setting<unknown> = settingTable[name];
  return secret === undefined ? name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) : null;
}

/** Where several machines keep what they share. */
export interface SharedStoreSetting {
  /** A URL of PostgreSQL, which may hold a password: it is read when it is needed. @throws SettingsError */
  url(): string;
  /** Absolute path of the file with the key that the machines seal secrets with. */
  readonly keyFile: string;
}

/** A setting of a closed list of words, and what was given in place of them. */
export interface UnknownWords {
  readonly given: readonly string[];
  readonly known: readonly string[];
}

/** The start stops with this one line; it names the setting as it was given: its flag, or its variable. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  /** Present where words were given that are none of a list, for a guess at what was meant. */
  readonly unknown: UnknownWords | null;
  constructor(message: string, unknown: UnknownWords | null = null) {
    super(message);
    this.unknown = unknown;
  }
}

/** Values given on the command line, by variable name (`ARTWORK_BASE_URL`); they win over the environment. */
export type Flags = Readonly<Partial<Record<string, string>>>;

/**
 * Reads and checks every setting. An empty value counts as unset, and so does one that still holds the placeholder
 * that a host was to fill in.
 * @param machine how paths are written, and where data is, on the machine that the settings are of
 * @throws SettingsError naming the first setting that can't be used.
 */
export function readSettings(
  environment: NodeJS.ProcessEnv = process.env,
  flags: Flags = {},
  machine: Paths = paths,
): Settings {
  const checked = settingNames.map((name) => {
    const given = givenFor(name, environment, flags);
    return [name, settingTable[name].check(given, { environment, machine })] as const;
  });
  // What a type can't follow through a list: each name has what its own check answered.
  return Object.freeze(Object.fromEntries(checked) as Settings);
}

function givenFor(name: SettingName, environment: NodeJS.ProcessEnv, flags: Flags): Given {
  const [variable, flag] = [variableOf(name), flagOf(name)];
  const inFlag = flag === null ? null : givenSetting(flags[variable]);
  if (inFlag !== null) return { name: `--${flag}`, value: inFlag };
  return { name: variable, value: givenSetting(environment[variable]) };
}

/** A setting as a person gave it. */
interface Given {
  /** Its flag, or its variable. */
  readonly name: string;
  /** null: it is unset. */
  readonly value: string | null;
}

/**
 * The value of a setting. What was given; null for what counts as unset: an empty word, and a placeholder that a
 * host was to fill in.
 */
export function givenSetting(word: string | undefined): string | null {
  return word === undefined || word === '' || /^\$\{[^{}]*\}$/.test(word) ? null : word;
}

/**
 * What the person wishes of the terminal, in the variables that many programs share (no-color.org, force-color.org).
 * Of both, the force counts, as in Node itself.
 */
export function readTerminalWish(environment: NodeJS.ProcessEnv = process.env): TerminalWish {
  const { FORCE_COLOR: force = '', NO_COLOR: none = '', TERM: terminal } = environment;
  const moves = terminal !== 'dumb';
  if (force !== '') return { colours: force !== '0' && force !== 'false', moves };
  return { colours: none === '' ? null : false, moves };
}

const loopbackHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether a URL's host is one of the three that may be spoken to without TLS. */
export function isLoopback(url: URL): boolean {
  return loopbackHosts.has(url.hostname);
}

function requireSecureUrl(name: string, value: string): URL {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new SettingsError(`${name} must be an https URL; it is not a URL that can be used.`);
  }
  if (url.protocol === 'http:' && !isLoopback(url)) {
    throw new SettingsError(`${name} must be https: plain http is only for localhost, 127.0.0.1 and ::1.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new SettingsError(`${name} must not carry a user name or a password.`);
  }
  if (url.hash !== '') throw new SettingsError(`${name} must not carry a fragment.`);
  return url;
}

function address({ name, value }: Given): string | null {
  if (value === null) return null;
  const url = requireSecureUrl(name, value);
  if (url.search !== '') throw new SettingsError(`${name} must not carry a query.`);
  return url.href.replace(/\/+$/, '');
}

function origin(given: Given): string | null {
  const url = address(given);
  if (url === null) return null;
  if (new URL(url).origin !== url) {
    throw new SettingsError(
      `${given.name} must be an origin, without a path: Asset paths start at the root.`,
    );
  }
  return url;
}

function callback({ name, value }: Given, { environment }: Source): string {
  const redirectUri = value ?? 'http://127.0.0.1:43917/callback';
  const { protocol } = requireSecureUrl(name, redirectUri);
  if (protocol !== 'https:' && readSecret(environment, variableOf('clientSecret')) !== null) {
    throw new SettingsError(`${name} must be https for a client with a secret.`);
  }
  return redirectUri;
}

/** A secret by where it is: it is read when it is needed. */
interface KeptSecret {
  readonly from: 'environment' | 'file';
  /** @throws SettingsError */
  read(): string;
}

/** A secret that stands in a variable, or in a file that another variable names. */
function readSecret(environment: NodeJS.ProcessEnv, variable: string): KeptSecret | null {
  const inline = givenSetting(environment[variable]);
  const file = givenSetting(environment[`${variable}_FILE`]);
  if (inline !== null && file !== null) {
    throw new SettingsError(`Set ${variable} or ${variable}_FILE, not both.`);
  }
  if (inline !== null) return Object.freeze({ from: 'environment', read: () => inline });
  if (file !== null)
    return Object.freeze({ from: 'file', read: () => readSecretFile(`${variable}_FILE`, file) });
  return null;
}

function readSecretFile(variable: string, file: string): string {
  let secret: string;
  try {
    // What is no regular file, such as a pipe, may never come to an end.
    if (!statSync(file).isFile()) throw new SettingsError(`${variable} must name a regular file.`);
    secret = readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (error instanceof SettingsError) throw error;
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new SettingsError(`${variable} can't be read${code}.`);
  }
  if (secret === '') throw new SettingsError(`${variable} is empty.`);
  return secret;
}

function sharedStore(environment: NodeJS.ProcessEnv, machine: Paths): SharedStoreSetting | null {
  const secret = readSecret(environment, 'ARTWORK_STORE');
  if (secret === null) return null;
  const name = secret.from === 'file' ? 'ARTWORK_STORE_FILE' : 'ARTWORK_STORE';
  const url = () => postgresUrl(name, secret.read());
  if (secret.from === 'environment') url();
  const keyFile = givenSetting(environment.ARTWORK_STORE_KEY_FILE);
  if (keyFile === null || !machine.syntax.isAbsolute(keyFile)) {
    throw new SettingsError(
      `ARTWORK_STORE_KEY_FILE must be the absolute path of the file with the key that the machines of ${name} share: make it once with openssl rand -base64 32.`,
    );
  }
  return Object.freeze({ url, keyFile: machine.syntax.resolve(keyFile) });
}

/** Quotes nothing of the value, which may hold a password. */
function postgresUrl(name: string, value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null || (url.protocol !== 'postgres:' && url.protocol !== 'postgresql:')) {
    throw new SettingsError(`${name} must be a URL such as postgres://user:password@host:5432/database.`);
  }
  const mode = url.searchParams.get('sslmode');
  if (mode !== null && mode !== 'disable' && mode !== 'verify-full') {
    throw new SettingsError(
      `${name}: sslmode must be verify-full, or disable; sslrootcert names the file of a certificate authority of your own.`,
    );
  }
  return value;
}

function scopeList({ name, value }: Given): readonly string[] {
  if (value === null) return allScopes;
  const scopes = [...new Set(value.split(/\s+/).filter((scope) => scope !== ''))];
  if (scopes.length === 0 || scopes.some((scope) => !/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope))) {
    throw new SettingsError(`${name} must be scope names separated by spaces.`);
  }
  const unknown = unknownScopes(scopes);
  if (unknown.length > 0) {
    const all = allScopes.join(' ');
    throw new SettingsError(`${name} names what is no scope: ${unknown.join(' ')}. There are: ${all}.`, {
      given: unknown,
      known: allScopes,
    });
  }
  return scopes;
}

/** Those that the interface document does not have (Authentication, scopes). */
export function unknownScopes(scopes: readonly string[]): readonly string[] {
  return scopes.filter((scope) => !allScopes.some((known) => known === scope));
}

function userName({ name, value: given }: Given): string {
  const value = given ?? 'default';
  if (!/^[\p{L}\p{N}][\p{L}\p{N}._@ -]{0,63}$/u.test(value)) {
    throw new SettingsError(`${name} must be 1 to 64 letters, digits, spaces or any of . _ @ -.`);
  }
  return value.normalize('NFC');
}

function uploadRoots({ name, value }: Given, { machine: { syntax } }: Source): readonly string[] {
  if (value === null) return [];
  const roots = value.split(syntax.delimiter).filter((root) => root !== '');
  if (roots.some((root) => root !== '.' && !syntax.isAbsolute(root))) {
    throw new SettingsError(
      `${name} must name absolute folders, or . for the one that the server is started in.`,
    );
  }
  return roots.map((root) => syntax.resolve(root));
}

function downloadRoot({ name, value }: Given, { machine: { syntax } }: Source): string | null {
  if (value === null) return null;
  if (syntax.isAbsolute(value)) return syntax.resolve(value);
  throw new SettingsError(`${name} must be the absolute path of a folder.`);
}

/** Not relative: a server that is started elsewhere would have another ledger, which knows nothing of what this one has sent. */
function dataFolder({ name, value }: Given, { machine, environment }: Source): string {
  const folder = value ?? machine.dataFolder(environment);
  if (folder === null) {
    throw new SettingsError(`${name} must be set: the system names no home folder of this user.`);
  }
  if (machine.syntax.isAbsolute(folder)) return machine.syntax.resolve(folder);
  throw new SettingsError(
    `${name} must be the absolute path of a folder; ~ and variables are filled in by a shell only.`,
  );
}

function onOff({ name, value }: Given): boolean {
  if (value === null || value === '0' || value === 'false') return false;
  if (value === '1' || value === 'true') return true;
  throw new SettingsError(`${name} must be 1, true, 0 or false.`);
}

function oneOf<T extends string>({ name, value: given }: Given, allowed: readonly T[], byDefault: T): T {
  const value = given ?? byDefault;
  const found = allowed.find((item) => item === value);
  if (found === undefined)
    throw new SettingsError(`${name} must be one of ${allowed.join(', ')}.`, {
      given: [value],
      known: allowed,
    });
  return found;
}

function listOf<T extends string>({ name, value }: Given, allowed: readonly T[]): readonly T[] {
  if (value === null) return allowed;
  const items = value.split(/[\s,]+/).filter((item) => item !== '');
  const unknown = items.find((item) => !allowed.some((known) => known === item));
  if (items.length === 0 || unknown !== undefined) {
    throw new SettingsError(`${name} must be any of ${allowed.join(', ')}, separated by commas.`, {
      given: items.filter((item) => !allowed.some((known) => known === item)),
      known: allowed,
    });
  }
  return allowed.filter((known) => items.includes(known));
}
