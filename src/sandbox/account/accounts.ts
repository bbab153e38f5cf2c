import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { SandboxError, systemCode } from '../sandbox-error.ts';

export interface Account {
  readonly id: number;
  readonly name: string;
}

const credentials = z.object({
  accounts: z.array(z.object({ name: z.string(), password: z.string().min(8) })),
});

/** The names and passwords of the made-up artists, which only the owner of the data folder can read. */
export function accountsFile(dataDir: string): string {
  return path.join(dataDir, 'accounts.json');
}

/**
 * Draws a password for each account, the first time.
 * @throws SandboxError when the file is damaged
 */
export function ensurePasswords(context: Context): void {
  if (readPasswords(context.dataDir) !== null) return;
  const file = accountsFile(context.dataDir);
  const about = 'Accounts of the embedded artwork catalogue in this folder. Sign in with any of them.';
  const accounts = accountsOf(context).map(({ name }) => ({ name, password: drawPassword() }));
  writeFileSync(`${file}.new`, `${JSON.stringify({ about, accounts }, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

export function accountsOf({ store }: Context): Account[] {
  const rows = store.all('SELECT id, name FROM accounts ORDER BY id');
  return rows.map((row) => ({ id: row.integer('id'), name: row.text('name') }));
}

export function accountOf(context: Context, id: number): Account | undefined {
  return accountsOf(context).find((account) => account.id === id);
}

/** The account with this name and password. Spaces around either don't count. */
export function authenticate(context: Context, name: string, password: string): Account | undefined {
  const account = accountsOf(context).find((one) => one.name === name.trim().normalize('NFC'));
  const known = readPasswords(context.dataDir)?.find((one) => one.name === account?.name);
  // Compared even for an unknown name, so that the time taken reveals nothing.
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const isSame = timingSafeEqual(digest(password.trim()), digest(known?.password ?? drawPassword()));
  return isSame ? account : undefined;
}

function readPasswords(dataDir: string) {
  const file = accountsFile(dataDir);
  try {
    return credentials.parse(JSON.parse(readFileSync(file, 'utf8'))).accounts;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    if (!(error instanceof z.ZodError || error instanceof SyntaxError)) throw error;
    throw new SandboxError(`${file} is damaged. Delete it: new passwords are drawn at the next start.`);
  }
}

/** Almost 100 random bits in 20 characters that are hard to confuse. */
function drawPassword(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
  const drawn = Array.from({ length: 20 }, () => alphabet[randomInt(alphabet.length)]);
  return drawn.join('').replace(/.{5}(?=.)/g, '$&-');
}
