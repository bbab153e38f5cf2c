import { type ConnectionId, type Io, Secret, type UsableGrant } from '../../src/connections/grant.ts';
import { movePointer } from '../../src/connections/pointer.ts';
import { createLeaseJudge } from '../../src/storage/lease.ts';
import type { Access } from './access.ts';
import { type Disk, nameOf } from './disk.ts';
import { key, started } from './host.ts';

const signingIn = { machine: 'm', boot: 'b', pid: 0, started: '0', instance: 'sign-in' };

const scopes = ['assets:write', 'assets:replace', 'sets:write', 'groups:write', 'relationships:write'];
const first = '0123456789abcdef0123456789abcdef' as ConnectionId;
const second = 'fedcba9876543210fedcba9876543210' as ConnectionId;

/** The connection as a sign-in leaves it. */
export async function signIn(disk: Disk): Promise<void> {
  await connect(disk, first, { access: 'access-1', refresh: 'refresh-1' });
}

/** The owner signs in once more, whatever has become of the first connection. */
export async function signInAgain(disk: Disk, access: Access): Promise<void> {
  await connect(disk, second, access.signIn());
}

async function connect(
  disk: Disk,
  connection: ConnectionId,
  { access, refresh }: { readonly access: string; readonly refresh: string },
): Promise<void> {
  const grant: UsableGrant = {
    flaw: null,
    accessToken: new Secret(access),
    refreshToken: new Secret(refresh),
    expiresAt: null,
    lifetime: null,
    scopes,
    asked: scopes,
    subject: 'owner',
    account: null,
    signedInAt: started,
    renewedAt: started,
  };
  disk.grants.set(nameOf({ connection, generation: 1 }), grant);
  const version = (disk.entries.get(key.pointer)?.version ?? 0) + 1;
  disk.entries.set(key.pointer, { key: key.pointer, value: await pointerText(connection), version });
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
    judge: createLeaseJudge({ clock: { monotonic: () => 0 }, self: signingIn, mayRun: async () => false }),
    random: () => connection,
    log: { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} },
  };
  await movePointer(io, null, { state: 'active', connection, generation: 1 });
  texts.set(connection, text);
  return text;
}
