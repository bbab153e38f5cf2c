import type { Io } from '../../../src/connections/grant.ts';
import type { PlantedLife } from './process.ts';
import { key } from './world.ts';

export interface LifePlant {
  readonly name: string;
  /** Made anew for each process. */
  plant(): PlantedLife;
}

/** Mistakes where the modules meet the world. */
export const lifePlants: readonly LifePlant[] = [
  {
    name: 'a claim on a refresh token binds nobody',
    plant: () => (io) => ({ ...io, atomic: { ...io.atomic, ...unbinding(io.atomic) } }),
  },
  {
    name: 'a renewal whose answer is lost is taken for one that was not sent',
    plant: () => (io) => ({
      ...io,
      service: {
        ...io.service,
        async renew(token) {
          const renewal = await io.service.renew(token);
          const proof = { why: 'not_sent', code: null, retryAfterMs: null } as const;
          return renewal.outcome === 'unknown' ? { outcome: 'not_consumed', proof } : renewal;
        },
      },
    }),
  },
  {
    name: 'the pointer is moved whatever it names',
    plant: () => (io) => ({
      ...io,
      atomic: {
        ...io.atomic,
        async compareAndSet(name, version, value) {
          const now = name === key.pointer ? await io.atomic.get(name) : null;
          return io.atomic.compareAndSet(name, now?.version ?? version, value);
        },
      },
    }),
  },
];

function unbinding({ scan, putIfAbsent }: Io['atomic']): Pick<Io['atomic'], 'scan' | 'putIfAbsent'> {
  return {
    scan: async (prefix, after, limit) => (prefix.startsWith('refresh:') ? [] : scan(prefix, after, limit)),
    async putIfAbsent(name, value) {
      const answer = await putIfAbsent(name, value);
      return name.startsWith('refresh:') ? { ...answer, won: true } : answer;
    },
  };
}
