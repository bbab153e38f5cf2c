import { type ConnectionRow, connectionId } from '../../src/connection/row.ts';
import { connectionRows } from '../../src/connection/rows.ts';
import type { Access, AccountName } from './access.ts';
import type { Disk } from './disk.ts';
import { key, started } from './host.ts';

const scopes = ['assets:write', 'assets:replace', 'sets:write', 'groups:write', 'relationships:write'];

/** The connection as the first sign-in leaves it. @param named whether the service tells whose account it is */
export async function signIn(disk: Disk, named = true): Promise<void> {
  await connect(disk, { access: 'access-1', refresh: 'refresh-1' }, named ? 'owner' : null);
}

/** Somebody signs in once more, whatever has become of the connection before. */
export async function signInAgain(
  disk: Disk,
  access: Access,
  account: AccountName = 'owner',
  named = true,
): Promise<void> {
  await connect(disk, access.signIn(account), named ? account : null);
}

async function connect(
  disk: Disk,
  tokens: { readonly access: string; readonly refresh: string },
  subject: string | null,
): Promise<void> {
  const connection = connectionId.parse(String(disk.signIns).padStart(32, '0'));
  disk.signIns += 1;
  const row: ConnectionRow = {
    state: 'active',
    reason: null,
    clientId: 'app',
    issuer: 'the service',
    connection,
    generation: 1,
    sealed: JSON.stringify(tokens),
    renewable: true,
    presenting: null,
    subject,
    account: null,
    scopes,
    asked: scopes,
    scopesUntold: false,
    expiresAt: null,
    signedInAt: started,
    renewedAt: started,
  };
  const { entries } = disk;
  const put = (at: string, value: string, version: number) => {
    const current = { key: at, value, version };
    entries.set(at, current);
    return current;
  };
  const rows = connectionRows({
    get: async (at) => entries.get(at) ?? null,
    putIfAbsent: async (at, value) => ({ won: true, current: put(at, value, 1) }),
    compareAndSet: async (at, version, value) => ({
      outcome: 'swapped',
      current: put(at, value, version + 1),
    }),
  });
  await rows.write(key, (await rows.read(key)).version, row);
}
