import { z } from 'zod';
import { type Column, columns, type Row } from './judge.ts';

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

/** What the columns are about: one table for all of them is too wide to read. */
const parts: Readonly<Record<Column, string>> = {
  Protocol: 'What the model knows of the server',
  'Tools that reach the model': 'What the model knows of the server',
  'Found by words': 'What the model knows of the server',
  Instructions: 'What the model knows of the server',
  Schemas: 'What the model knows of the server',
  'Result seen': 'What the model sees of an answer',
  Pictures: 'What the model sees of an answer',
  'Long answer': 'What the model sees of an answer',
  'Error words': 'What the model sees of an answer',
  Roots: 'Files, signing in, and the end',
  'Sign-in': 'Files, signing in, and the end',
  'Upload from the workspace': 'Files, signing in, and the end',
  'Call interrupted': 'Files, signing in, and the end',
  End: 'Files, signing in, and the end',
};

/** A table for each part, with a row for each host. */
export function markdown(rows: KeptTable): string {
  const named = columns.filter((column) => rows.some(({ cells }) => (cells[column]?.words ?? '–') !== '–'));
  const tables = [...new Set(named.map((column) => parts[column]))].map((part) => {
    const own = named.filter((column) => parts[column] === part);
    return [
      `## ${part}`,
      '',
      `| Host | ${own.join(' | ')} |`,
      `|---|${own.map(() => '---|').join('')}`,
      ...rows.map(
        ({ host, version, cells }) =>
          `| ${host} ${version} | ${own.map((column) => cells[column]?.words ?? '–').join(' | ')} |`,
      ),
    ].join('\n');
  });
  return tables.join('\n\n');
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
