import { existsSync } from 'node:fs';
import path from 'node:path';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GeneratedCatalogue, generateCatalogue } from '../../bench/generated/catalogue.ts';
import { serveSandbox } from '../../src/sandbox/serve.ts';
import { type Database, openDatabase } from '../../src/sandbox/store/database.ts';
import { temporaryFolder } from '../support/temporary.ts';

const scale = { episodes: 1_500, films: 400, events: 5_000 };
const now = new Date('2026-03-04T05:06:07.000Z');

describe('a generated catalogue', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let first: GeneratedCatalogue;
  beforeAll(async () => {
    folder = await temporaryFolder();
    first = await make('first', 'a');
  });
  afterAll(() => folder.remove());

  const make = (name: string, seed: string) =>
    generateCatalogue(path.join(folder.path, name), { scale, seed, now });

  it('holds just as much as was asked for, the works of every catalogue among it', async () => {
    const { counts, bytes } = first;
    expect(counts).toMatchObject(scale);
    expect(bytes).toBeGreaterThan(100_000);
    await reading('first', (database) => {
      expect(database.all("SELECT id FROM shows WHERE title = 'Breaking Bad'")).toHaveLength(1);
      const titles = database.only('SELECT count(DISTINCT title) AS titles FROM movies').integer('titles');
      expect(titles).toBeGreaterThan(0.9 * scale.films);
    });
  });

  it('is the same for the same seed, and another one for another', async () => {
    await Promise.all([make('same', 'a'), make('other', 'b')]);
    const [one, same, other] = await Promise.all(['first', 'same', 'other'].map(contentOf));
    expect(same).toEqual(one);
    expect(other).not.toEqual(one);
  });

  it('is served as any other, page by page to its end', async () => {
    const sandbox = await serveSandbox({ dataDir: first.dataDir, port: 0, now: () => now });
    try {
      const read = async (from: string) => {
        const ids: unknown[] = [];
        for (let next: string | null = from; next !== null; ) {
          const { statusCode, body } = await request(sandbox.baseUrl + next);
          expect(statusCode).toBe(200);
          const page = (await body.json()) as { data: { id?: number }[]; meta: { nextPage: string | null } };
          ids.push(...page.data.map((item) => item.id));
          next = page.meta.nextPage;
        }
        return ids;
      };
      const ids = await read('/episodes');
      expect(new Set(ids).size).toBe(scale.episodes);
      // From the middle on, where no page before it was just read.
      expect(await read('/episodes/pages/8')).toEqual(ids.slice(700));
      const events = [...(await read('/feeds/assets')), ...(await read('/feeds/sets'))];
      expect(events).toHaveLength(scale.events);
    } finally {
      await sandbox.close();
    }
  });

  it('leaves what is there, and nothing half made in its place', async () => {
    await expect(make('first', 'a')).rejects.toThrow('is there already');
    const tiny = { scale: { ...scale, films: 1 }, seed: 'a', now };
    await expect(generateCatalogue(path.join(folder.path, 'tiny'), tiny)).rejects.toThrow(
      'must not be below',
    );
    expect([existsSync(first.dataDir), existsSync(path.join(folder.path, 'tiny'))]).toEqual([true, false]);
  });

  async function reading<T>(name: string, look: (database: Database) => T): Promise<T> {
    const database = openDatabase(path.join(folder.path, name), () => {
      throw new Error('It is filled already.');
    });
    try {
      return look(database);
    } finally {
      database.close();
    }
  }

  function contentOf(name: string) {
    const lines = {
      shows: 'id || title || ifnull(first_air_date, 0)',
      episodes: 'id || title || season_id || episode_number',
      movies: 'id || title || ifnull(release_date, 0) || ifnull(collection_id, 0)',
      people: 'id || name',
      sets: 'id || title || ifnull(owner_id, 0) || updated_at',
      assets: 'id || slot || target_kind || target_id || created_at',
      asset_changes: 'sequence || asset_id || change_type || changed_at || replacements',
      set_changes: 'sequence || set_id || change_type || changed_at',
    };
    return reading(name, (database) =>
      Object.entries(lines).map(([table, line]) =>
        database.all(`SELECT ${line} AS line FROM ${table} ORDER BY 1`).map((row) => row.text('line')),
      ),
    );
  }
});
