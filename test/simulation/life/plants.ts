import type { StoredPosition } from '../../../src/connections/grant.ts';
import { readPointer } from '../../../src/connections/pointer.ts';
import type { completeSignIn, SignInCompletion } from '../../../src/connections/sign-in/complete.ts';
import { key } from '../host.ts';
import type { PlantedLife } from './process.ts';

export interface LifePlant {
  readonly name: string;
  /** Made anew for each process. */
  plant(): PlantedLife;
}

/** Mistakes that end the new connection on a service which takes a token that comes again for stolen. */
export const lifePlants: readonly LifePlant[] = [
  { name: 'what was replaced is revoked after adopting', plant: () => ({ signIn: revokeAfter(0) }) },
  { name: 'what is left over is revoked two minutes later', plant: () => ({ signIn: revokeAfter(120_000) }) },
  { name: 'sign-ins and revocations do not wait for each other', plant: noLease },
  { name: 'a sign-in does not wait for a renewal', plant: noWaiting },
];

type SignIn = (completion: SignInCompletion, signIn: typeof completeSignIn) => Promise<unknown>;

/** Signs in, then revokes whatever is not named: at once, or later. */
function revokeAfter(milliseconds: number): SignIn {
  return async (completion, signIn) => {
    const { io } = completion;
    const signedIn = await signIn(completion);
    if (milliseconds > 0) await io.clock.sleep(milliseconds);
    const pointer = (await readPointer(io))?.pointer;
    const isNamed = ({ connection }: StoredPosition) =>
      pointer !== undefined && pointer.state !== 'disconnected' && pointer.connection === connection;
    for (const place of await io.records.list(key)) {
      if (isNamed(place)) continue;
      const grant = await io.records.read(key, place);
      const token = grant?.refreshToken ?? null;
      if (token !== null) await io.service.revoke(token, 'refresh_token');
      await io.records.remove(key, place);
    }
    return signedIn;
  };
}

/** The lease always looks free. */
function noLease(): PlantedLife {
  return {
    io: (io) => ({
      ...io,
      atomic: {
        ...io.atomic,
        get: async (name) => (isLease(name) ? null : io.atomic.get(name)),
        putIfAbsent: async (name, value) =>
          isLease(name)
            ? { won: true, current: { key: name, value, version: 1 } }
            : io.atomic.putIfAbsent(name, value),
        compareAndSet: async (name, version, value) =>
          isLease(name)
            ? { outcome: 'swapped', current: { key: name, value, version } }
            : io.atomic.compareAndSet(name, version, value),
      },
    }),
  };
}

function isLease(name: string): boolean {
  return name.startsWith('sign-in-lease:');
}

/** The claim of a renewal always looks as if its request had been answered. */
function noWaiting(): PlantedLife {
  return {
    io: (io) => ({
      ...io,
      atomic: {
        ...io.atomic,
        async scan(prefix, after, limit) {
          const entries = await io.atomic.scan(prefix, after, limit);
          if (!prefix.startsWith('refresh:')) return entries;
          return entries.map((entry) => ({
            ...entry,
            value: JSON.stringify({ ...JSON.parse(entry.value), answered: true }),
          }));
        },
      },
    }),
  };
}
