import { readFileSync, statSync } from 'node:fs';
import { codeOf } from './errors.ts';
import type { Paths } from './machine.ts';

/** A setting as a person gave it. */
export interface Given {
  /** Its option or its variable, whichever was used. */
  readonly name: string;
  /** null: it is unset. */
  readonly value: string | null;
}

/** What else a check may look at. */
export interface Source {
  readonly environment: NodeJS.ProcessEnv;
  readonly machine: Paths;
}

/** Stops the start with one line, which names the setting as it was given. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/** What was given. null counts as unset: nothing, an empty word, and a placeholder that a host was to fill in. */
export function givenSetting(word: string | undefined): string | null {
  return word === undefined || word === '' || /^\$\{[^{}]*\}$/.test(word) ? null : word;
}

const loopbackHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether a URL's host may be spoken to without TLS. */
export function isLoopback(url: URL): boolean {
  return loopbackHosts.has(url.hostname);
}

function secureUrl({ name }: Given, value: string): URL {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new SettingsError(`${name} must be an https URL.`);
  }
  if (url.protocol === 'http:' && !isLoopback(url)) {
    throw new SettingsError(`${name} must be https. Only localhost, 127.0.0.1 and ::1 may use http.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new SettingsError(`${name} must not carry a user name or a password.`);
  }
  if (url.hash !== '') throw new SettingsError(`${name} must not carry a fragment.`);
  return url;
}

/** A URL without a slash at its end; it may have a path. */
export function address(given: Given): string | null {
  if (given.value === null) return null;
  const url = secureUrl(given, given.value);
  if (url.search !== '') throw new SettingsError(`${given.name} must not carry a query.`);
  return url.href.replace(/\/+$/, '');
}

export function origin(given: Given): string | null {
  const url = address(given);
  if (url === null || new URL(url).origin === url) return url;
  throw new SettingsError(`${given.name} must be an origin: a URL without a path.`);
}

export function callback(given: Given, { environment }: Source): string {
  const redirectUri = given.value ?? 'http://127.0.0.1:43917/callback';
  const { protocol } = secureUrl(given, redirectUri);
  if (protocol !== 'https:' && secretIn(environment, 'ARTWORK_CLIENT_SECRET') !== null) {
    throw new SettingsError(`${given.name} must be https for a client with a secret.`);
  }
  return redirectUri;
}

/** A secret by its place. It is read when it is needed, and never printed. */
export interface KeptSecret {
  readonly isInFile: boolean;
  /** @throws SettingsError */
  read(): string;
}

/** A secret in a variable, or in the file that `…_FILE` names. */
export function secretIn(environment: NodeJS.ProcessEnv, variable: string): KeptSecret | null {
  const inline = givenSetting(environment[variable]);
  const file = givenSetting(environment[`${variable}_FILE`]);
  if (inline !== null && file !== null)
    throw new SettingsError(`Set ${variable} or ${variable}_FILE, not both.`);
  if (inline !== null) return Object.freeze({ isInFile: false, read: () => inline });
  return file === null
    ? null
    : Object.freeze({ isInFile: true, read: () => readSecret(`${variable}_FILE`, file) });
}

function readSecret(name: string, file: string): string {
  let secret: string;
  try {
    // A pipe may never come to an end.
    if (!statSync(file).isFile()) throw new SettingsError(`${name} must name a regular file.`);
    secret = readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (error instanceof SettingsError) throw error;
    throw new SettingsError(`${name} can't be read (${codeOf(error) ?? 'unknown'}).`);
  }
  if (secret === '') throw new SettingsError(`${name} is empty.`);
  return secret;
}

/** The store that several machines share. */
export interface SharedStoreSetting {
  /** A URL of PostgreSQL, which may hold a password. @throws SettingsError */
  url(): string;
  /** Absolute path of the file with the key that seals the secrets of all of them. */
  readonly keyFile: string;
}

export function sharedStore(_: Given, { environment, machine }: Source): SharedStoreSetting | null {
  const secret = secretIn(environment, 'ARTWORK_STORE');
  if (secret === null) return null;
  const url = () => requirePostgres(secret.isInFile ? 'ARTWORK_STORE_FILE' : 'ARTWORK_STORE', secret.read());
  if (!secret.isInFile) url();
  const keyFile = givenSetting(environment.ARTWORK_STORE_KEY_FILE);
  if (keyFile === null || !machine.syntax.isAbsolute(keyFile)) {
    throw new SettingsError(
      'With ARTWORK_STORE, ARTWORK_STORE_KEY_FILE must be the absolute path of the key file that all machines share. Create it once with: openssl rand -base64 32',
    );
  }
  return Object.freeze({ url, keyFile: machine.syntax.resolve(keyFile) });
}

/** Reads the files of secrets once: one that is missing is told at the start, not at the first change. @throws SettingsError */
export function checkSecretFiles(secret: KeptSecret | null, store: SharedStoreSetting | null): void {
  secret?.read();
  if (store === null) return;
  store.url();
  readSecret('ARTWORK_STORE_KEY_FILE', store.keyFile);
}

/** The messages don't quote the value, which may hold a password. */
function requirePostgres(name: string, value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url?.protocol !== 'postgres:' && url?.protocol !== 'postgresql:') {
    throw new SettingsError(`${name} must be a URL such as postgres://user:password@host:5432/database.`);
  }
  if (!['verify-full', 'disable', null].includes(url.searchParams.get('sslmode'))) {
    throw new SettingsError(
      `${name} must have the sslmode verify-full or disable. sslrootcert can name a certificate authority.`,
    );
  }
  return value;
}

export function userName({ name, value: given }: Given): string {
  const value = given ?? 'default';
  if (/^[\p{L}\p{N}][\p{L}\p{N}._@ -]{0,63}$/u.test(value)) return value.normalize('NFC');
  throw new SettingsError(`${name} must have 1 to 64 letters, digits, spaces or any of . _ @ -.`);
}

/** Absolute folders. `.` is the one that the program was started in. */
export function folders({ name, value }: Given, { machine: { syntax } }: Source): readonly string[] {
  const given = value === null ? [] : value.split(syntax.delimiter).filter((folder) => folder !== '');
  if (given.some((folder) => folder !== '.' && !syntax.isAbsolute(folder))) {
    throw new SettingsError(
      `${name} must name absolute folders, or . for the one that the server starts in.`,
    );
  }
  return given.map((folder) => syntax.resolve(folder));
}

export function folder({ name, value }: Given, { machine: { syntax } }: Source): string | null {
  if (value === null) return null;
  if (syntax.isAbsolute(value)) return syntax.resolve(value);
  throw new SettingsError(
    `${name} must be the absolute path of a folder. Only a shell fills in ~ and variables.`,
  );
}

/** Absolute, since a server that is started elsewhere would have another ledger and know nothing of this one. */
export function dataFolder({ name, value }: Given, source: Source): string {
  const given = value ?? source.machine.dataFolder(source.environment);
  const absolute = folder({ name, value: given }, source);
  if (absolute !== null) return absolute;
  throw new SettingsError(`${name} must be set, since the system names no home folder of this user.`);
}

export function isOn({ name, value }: Given): boolean {
  if (value === null || value === '0' || value === 'false') return false;
  if (value === '1' || value === 'true') return true;
  throw new SettingsError(`${name} must be 1, true, 0 or false.`);
}

/** One word of a list; its first one where the setting is unset. */
export function oneOf<const Words extends readonly [string, ...string[]]>(
  { name, value }: Given,
  words: Words,
): Words[number] {
  const found = value === null ? words[0] : words.find((word) => word === value);
  if (found !== undefined) return found;
  throw new SettingsError(`${name} must be one of ${words.join(', ')}.`);
}

/** Words of a list, separated by spaces or commas, in the list's order. All of them where the setting is unset. */
export function someOf<Word extends string>({ name, value }: Given, words: readonly Word[]): readonly Word[] {
  if (value === null) return words;
  const given = value.split(/[\s,]+/).filter((word) => word !== '');
  const unknown = given.filter((word) => !words.some((known) => known === word));
  if (given.length > 0 && unknown.length === 0) return words.filter((word) => given.includes(word));
  throw new SettingsError(`${name} must be some of ${words.join(', ')}.`);
}
