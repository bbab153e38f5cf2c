import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

const accounts = z.object({
  accounts: z.array(z.object({ name: z.string(), password: z.string() })).min(1),
});

/** Whom a person finds in a catalogue's folder, where its front page says that the passwords are. */
export async function readCredentials(dataDir: string) {
  const text = await readFile(path.join(dataDir, 'accounts.json'), 'utf8');
  return accounts.parse(JSON.parse(text)).accounts;
}
