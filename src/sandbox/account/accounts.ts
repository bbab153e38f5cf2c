import { randomBytes, timingSafeEqual } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseJson, readWhole } from '../files.ts';
import { machine } from '../machine.ts';
import { fingerprint } from '../oauth/storage.ts';
import type { Database } from '../store/database.ts';

/** An account that owns artwork. A person can sign in to it. */
export interface Account {
  readonly id: number;
  readonly name: string;
}

export interface AccountDirectory {
  /** Absolute path of the file with the names and passwords. */
  readonly file: string;
  all(): readonly Account[];
  find(id: number): Account | undefined;
  /** The account with this name and password. The case of the name does not matter. */
  authenticate(name: string, password: string): Promise<Account | undefined>;
}

/** A name and password of `accounts.json`. */
export interface Credentials {
  readonly name: string;
  readonly password: string;
}

/** Absolute path of the file that holds the names and passwords of a data folder's accounts. */
export function accountsFile(dataDir: string): string {
  return path.resolve(dataDir, 'accounts.json');
}

/**
 * The accounts of the catalogue. Each has a random password, drawn once per data folder and written to
 * `accounts.json` there (mode 0600), where the person who runs the catalogue reads it. Only this file holds
 * the passwords: to store hashes elsewhere would protect nothing that the file does not give away.
 * @throws Error when the file is damaged.
 */
export async function openAccountDirectory(database: Database, dataDir: string): Promise<AccountDirectory> {
  const file = accountsFile(dataDir);
  const accounts = database
    .all('SELECT id, name FROM accounts ORDER BY id')
    .map((row): Account => ({ id: row.integer('id'), name: row.text('name') }));
  const stored = await readWhole(file);
  const known = stored === null ? [] : parse(file, stored);
  const credentials = accounts.map(
    ({ name }) => known.find((entry) => entry.name === name) ?? { name, password: drawPassword() },
  );
  if (stored === null || credentials.some((entry) => !known.includes(entry)))
    await writeCredentials(file, credentials);
  else await machine.makePrivate(file, 0o600);

  return {
    file,
    all: () => accounts,
    find: (id) => accounts.find((account) => account.id === id),
    async authenticate(name, password) {
      const wanted = name.normalize('NFC').trim().toLowerCase();
      const account = accounts.find((candidate) => candidate.name.toLowerCase() === wanted);
      const entry = (await readCredentials(dataDir)).find((candidate) => candidate.name === account?.name);
      // Compared even for an unknown account, so that the time taken reveals nothing.
      const same = timingSafeEqual(
        Buffer.from(fingerprint(password.trim())),
        Buffer.from(fingerprint(entry?.password ?? drawPassword())),
      );
      return same ? account : undefined;
    },
  };
}

/**
 * The content of `accounts.json` in a data folder; empty when there is no such file yet.
 * @throws Error when the file is damaged.
 */
export async function readCredentials(dataDir: string): Promise<Credentials[]> {
  const file = accountsFile(dataDir);
  const text = await readWhole(file);
  return text === null ? [] : parse(file, text);
}

function parse(file: string, text: string): Credentials[] {
  const damaged = `${file} is damaged. Delete it: new passwords are drawn when the catalogue starts again.`;
  const value = parseJson(text);
  const named = typeof value === 'object' && value !== null && 'accounts' in value ? value.accounts : null;
  const entries: unknown[] | null = Array.isArray(named) ? named : null;
  if (entries === null || !entries.every(isCredentials)) throw new Error(damaged);
  return entries;
}

function isCredentials(value: unknown): value is Credentials {
  if (typeof value !== 'object' || value === null || !('name' in value) || !('password' in value))
    return false;
  return typeof value.name === 'string' && typeof value.password === 'string' && value.password.length >= 8;
}

async function writeCredentials(file: string, accounts: readonly Credentials[]): Promise<void> {
  const about = 'Accounts of the embedded artwork catalogue in this folder. Sign in with any of them.';
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, `${JSON.stringify({ about, accounts }, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  await rename(draft, file);
}

/** Almost 100 random bits in 20 characters that are hard to confuse. */
function drawPassword(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
  const characters: string[] = [];
  while (characters.length < 20) {
    for (const byte of randomBytes(32)) {
      // Larger bytes are skipped, so that every character is equally likely.
      const character = byte < 248 ? alphabet[byte % alphabet.length] : undefined;
      if (character !== undefined && characters.length < 20) characters.push(character);
    }
  }
  return characters.join('').replace(/.{5}(?=.)/g, '$&-');
}
