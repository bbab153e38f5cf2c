import {
  type ConnectionId,
  connectionId,
  type Io,
  Secret,
  type UsableGrant,
} from '../../src/connections/grant.ts';
import { movePointer } from '../../src/connections/pointer.ts';
import type { Access, AccountName } from './access.ts';
import { type Disk, nameOf } from './disk.ts';
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
  { access, refresh }: { readonly access: string; readonly refresh: string },
  subject: string | null,
): Promise<void> {
  const connection = connectionOf(disk.signIns);
  disk.signIns += 1;
  const grant: UsableGrant = {
    flaw: null,
    accessToken: new Secret(access),
    refreshToken: new Secret(refresh),
    expiresAt: null,
    lifetime: null,
    scopes,
    asked: scopes,
    subject,
    account: null,
    signedInAt: started,
    renewedAt: started,
  };
  disk.grants.set(nameOf({ connection, generation: 1 }), grant);
  const version = (disk.entries.get(key.pointer)?.version ?? 0) + 1;
  disk.entries.set(key.pointer, { key: key.pointer, value: await pointerText(connection), version });
}

function connectionOf(number: number): ConnectionId {
  return connectionId.parse(String(number).padStart(32, '0'));
}

const texts = new Map<ConnectionId, string>();

async function pointerText(connection: ConnectionId): Promise<string> {
  const known = texts.get(connection);
  if (known !== undefined) return known;
  let text = '';
  const io: Io = {
    key,
    atomic: {
      get: async () => null,
      putIfAbsent: async (at, value) => {
        text = value;
        return { won: true, current: { key: at, value, version: 1 } };
      },
      compareAndSet: async () => ({ outcome: 'absent' }),
      scan: async () => [],
    },
    records: {
      write: async () => {},
      read: async () => null,
      remove: async () => {},
      list: async () => [],
    },
    service: {
      prepare: async () => {},
      renew: async () => ({ outcome: 'refused' }),
      revoke: async () => ({ outcome: 'revoked' }),
    },
    clock: { now: () => started, monotonic: () => 0, sleep: async () => {} },
    random: () => connection,
    log: { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} },
  };
  await movePointer(io, null, { state: 'active', connection, generation: 1 });
  texts.set(connection, text);
  return text;
}
