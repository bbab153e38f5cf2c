import { z } from 'zod';
import { columns, type Row } from './judge.ts';

const cell = z.object({ words: z.string(), good: z.number().nullable() });
export const keptTable = z.array(
  z.object({
    host: z.string(),
    version: z.string(),
    cells: z.record(z.string(), cell),
  }),
);
export type KeptTable = z.output<typeof keptTable>;

export interface PlayedHost {
  readonly host: string;
  readonly version: string;
  readonly cells: Row;
}

export function markdown(rows: KeptTable): string {
  const named = columns.filter((column) => rows.some(({ cells }) => (cells[column]?.words ?? '–') !== '–'));
  return [
    `| Host | ${named.join(' | ')} |`,
    `|---|${named.map(() => '---|').join('')}`,
    ...rows.map(
      ({ host, version, cells }) =>
        `| ${host} ${version} | ${named.map((column) => cells[column]?.words ?? '–').join(' | ')} |`,
    ),
  ].join('\n');
}

/** Cells that were better when the table was last kept. */
export function worse(now: KeptTable, kept: KeptTable): string[] {
  return now.flatMap(({ host, cells }) => {
    const before = kept.find((one) => one.host === host)?.cells ?? {};
    return Object.entries(before).flatMap(([column, was]) => {
      const is = cells[column];
      if (was.good === null || is === undefined) return [];
      const fell = is.good === null ? true : is.good < was.good - 0.005;
      return fell ? [`${host}, ${column}: ${is.words}; it was: ${was.words}`] : [];
    });
  });
}

/** Those that were played now take the place of what was kept of them. */
export function merged(now: KeptTable, kept: KeptTable, order: readonly string[]): KeptTable {
  const all = [...now, ...kept.filter(({ host }) => !now.some((one) => one.host === host))];
  return order.flatMap((name) => all.filter(({ host }) => host === name));
}
