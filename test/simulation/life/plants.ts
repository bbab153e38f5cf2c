import { ArtworkError } from '../../../src/errors.ts';
import type { PlantedLife } from './process.ts';

export interface LifePlant {
  readonly name: string;
  /** What must be said of it. */
  readonly caught: RegExp;
  /** Made anew for each process. */
  plant(): PlantedLife;
}

/** Mistakes where the modules meet the world. */
export const lifePlants: readonly LifePlant[] = [
  {
    name: 'a claim on a refresh token binds nobody',
    caught: /presented twice/,
    plant:
      () =>
      ({ rows, ...ports }) => ({
        ...ports,
        rows: {
          ...rows,
          async write(key, seenVersion, row) {
            const result = await rows.write(key, seenVersion, row);
            return row?.presenting?.holder === ports.holders.self ? 'won' : result;
          },
        },
      }),
  },
  {
    name: 'a renewal whose answer is lost is taken for one that was not consumed',
    caught: /presented twice/,
    plant: () => (ports) => ({
      ...ports,
      server: {
        ...ports.server,
        async renew(token, of) {
          const renewal = await ports.server.renew(token, of);
          const error = new ArtworkError('network', 'It was not sent.');
          return renewal.outcome === 'unknown' ? { outcome: 'not_consumed', error } : renewal;
        },
      },
    }),
  },
  {
    name: 'what a dead process presented is presented again',
    caught: /presented twice/,
    plant: () => (ports) => ({
      ...ports,
      rows: {
        ...ports.rows,
        async read(key) {
          const { version, row } = await ports.rows.read(key);
          const isOver = row?.state === 'uncertain';
          return { version, row: isOver ? { ...row, state: 'active', presenting: null } : row };
        },
      },
    }),
  },
  {
    name: 'a row is written whatever version was seen',
    caught: /./,
    plant: () => (ports) => ({
      ...ports,
      rows: {
        ...ports.rows,
        async write(key, _seenVersion, row) {
          return ports.rows.write(key, (await ports.rows.read(key)).version, row);
        },
      },
    }),
  },
  {
    name: 'a process that is slow is taken for one that has ended',
    caught: /lost without need/,
    plant: () => (ports) => ({ ...ports, holders: { ...ports.holders, isGone: () => true } }),
  },
];
