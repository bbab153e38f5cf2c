import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { seeded } from '../simulation/random.ts';
import { numberFrom } from '../support/number-from.ts';
import { type PostgresServer, postgresMissing, startPostgres } from '../support/postgres.ts';
import { json, startScriptedService } from '../support/scripted-service.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { keyFileFor } from '../support/test-store.ts';
import { type Actor, type Actors, buildActors } from './processes.ts';

const changes = numberFrom('ARTWORK_TEST_CHANGES', 600);
const random = seeded(numberFrom('ARTWORK_TEST_SEED', Date.now() % 1_000_000)).next;
/** Each change is meant by two processes, one in each home. */
const perHome = 4;
const said = z.object({ number: z.int(), outcome: z.enum(['succeeded', 'unresolved']) });

/** As `changing-actor.ts` names it. */
const assetOf = (number: number) => `a55e7000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;

const named = `two homes on one store${postgresMissing === null ? '' : ` (left out: ${postgresMissing})`}`;

describe.skipIf(postgresMissing !== null)(named, () => {
  let server: PostgresServer;
  let actors: Actors;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeAll(async () => {
    [actors, server, folder] = await Promise.all([
      buildActors('test/mutations/changing-actor.ts'),
      startPostgres(),
      temporaryFolder(),
    ]);
  });
  afterAll(async () => {
    await Promise.all([actors?.end(), server?.end()]);
    await folder?.remove();
  });

  it(
    `${changes} changes of eight processes, killed in between with the database: nothing twice, nothing lost`,
    async () => {
      const applied = new Map<string, number>();
      const outcomes = new Map<number, string>();
      const service = await startScriptedService((request, response) => {
        const [, asset = ''] = /^\/me\/assets\/([^/?]+)/.exec(request.url ?? '') ?? [];
        request.resume().on('end', () => {
          if (request.method === 'POST') applied.set(asset, (applied.get(asset) ?? 0) + 1);
          const isDone = applied.has(asset);
          const updatedAt = isDone ? '2030-01-02T00:00:00.000Z' : '2030-01-01T00:00:00.000Z';
          const record = { id: asset, assetId: asset, updatedAt, slot: 'poster' };
          json(response, 200, { ...record, languageCode: isDone ? 'fr' : 'en' });
        });
      });
      const env = { ARTWORK_TEST_URL: await server.database(), ARTWORK_TEST_KEY: keyFileFor(folder.path) };
      // The clock of the second machine is five hours ahead.
      const ahead = path.join(folder.path, 'ahead');
      await writeFile(ahead, String(5 * 60 * 60_000));
      const preload = pathToFileURL(path.join(import.meta.dirname, 'dates-ahead.mjs')).href;
      const begun = Array.from({ length: 2 * perHome }, (_, at) => at % perHome);
      const running = new Map<number, Actor>();
      let isOver = false;
      const work = async (at: number): Promise<void> => {
        const home = path.join(folder.path, at < perHome ? 'desk' : 'laptop');
        const late = at < perHome ? {} : { TEST_DATES_AHEAD: ahead };
        const node = at < perHome ? [] : [`--import=${preload}`];
        for (;;) {
          const args = [home, service.baseUrl, String(begun[at]), String(perHome), String(changes)];
          const actor = actors.start(args, { env: { ...env, ...late }, node });
          running.set(at, actor);
          for (let line = await actor.next(); line !== null; line = await actor.next()) {
            const done = said.safeParse(line);
            if (!done.success) continue;
            const { number, outcome } = done.data;
            begun[at] = number + perHome;
            if (outcomes.get(number) !== 'succeeded') outcomes.set(number, outcome);
          }
          if ((begun[at] ?? 0) >= changes) return;
        }
      };
      const killing = async () => {
        let [kills, crashes] = [0, 0];
        // What only a person can tell is looked for during minutes: those looks must come to their end.
        const until = performance.now() + changes * 20;
        while (!isOver && performance.now() < until) {
          await new Promise((resolve) => setTimeout(resolve, 1000 + random() * 2000));
          if (isOver) break;
          if (random() < 0.2) {
            crashes += 1;
            await server.crash();
            await server.start();
          } else {
            kills += 1;
            running.get(Math.floor(random() * 2 * perHome))?.process.kill('SIGKILL');
          }
        }
        return { kills, crashes };
      };
      const killed = killing();
      const since = performance.now();
      await Promise.all(begun.map((_, at) => work(at)));
      isOver = true;
      const { kills, crashes } = await killed;
      const seconds = (performance.now() - since) / 1000;
      process.stdout.write(
        `${changes} changes, ${kills} processes and ${crashes} times the database killed, ${seconds.toFixed(0)} s\n`,
      );
      await service.close();
      expect([...applied.values()].filter((times) => times !== 1)).toEqual([]);
      expect(outcomes.size).toBe(changes);
      const unresolved = [...outcomes].filter(([, outcome]) => outcome === 'unresolved');
      for (const [number, outcome] of outcomes) {
        if (outcome === 'succeeded') expect(applied.get(assetOf(number)), String(number)).toBe(1);
      }
      // At most one for each process that was ended in the middle of its request, and for each that lost the store there.
      expect(unresolved.length).toBeLessThanOrEqual(kills + crashes * 2 * perHome);
      process.stdout.write(`${unresolved.length} of which only a person can tell\n`);
    },
    120_000 + changes * 1000,
  );
});
