import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../src/sandbox/store/database.ts';
import { type Bundle, bundle } from '../support/bundle.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { type Heard, heard, sendFile, startCatalogue } from './me-catalogue.ts';
import { picture } from './me-pictures.ts';
import { type CatalogueProcess, startProcess } from './me-processes.ts';
import { plantShow, plantWorks } from './me-works.ts';
import { type Declared, declare, fileOf, submissionOf } from './submissions-client.ts';

const cards = 24;
let built: Bundle;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let episodes: readonly number[];
const showId = 920_001;

beforeAll(async () => {
  built = await bundle({ catalogue: 'test/sandbox/me-process.ts' });
  folder = await temporaryFolder();
  const first = await startCatalogue({ dataDir: folder.path });
  plantWorks(first.database);
  ({ episodes } = plantShow(first.database, showId, cards));
  await first.stop();
});
afterAll(async () => {
  await folder.remove();
  await built.remove();
});

const start = () => startProcess(built.program('catalogue'), folder.path);

async function post({ baseUrl, token }: CatalogueProcess, path: string, body: unknown): Promise<Heard> {
  return heard(
    await fetch(`${baseUrl}/me/set-uploads${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );
}

async function declaredCards(): Promise<{ files: Declared[]; body: { clientMutationId: string } }> {
  const files = await Promise.all(
    episodes.map(async (_, index) => declare(await picture(640, 360), `card ${index}.png`)),
  );
  const body = {
    clientMutationId: randomUUID(),
    setKind: 'media_set',
    entryTargetKind: 'show',
    entryTargetId: showId,
    titleBase: 'Cards',
    description: null,
    languageCode: 'en',
    editionId: null,
    finalised: true,
    destination: null,
    declaredFiles: files.map((file, position) => ({
      itemId: file.itemId,
      position,
      targetKind: 'episode',
      targetId: episodes[position],
      slot: 'titlecard',
      ...fileOf(file),
    })),
  };
  return { files, body };
}

/** Sends what the submission still awaits, four at a time; a broken connection ends it quietly. */
async function transfer(to: CatalogueProcess, id: string, files: readonly Declared[]): Promise<void> {
  const asked = await fetch(`${to.baseUrl}/me/set-uploads/${id}`, {
    headers: { authorization: `Bearer ${to.token}` },
  });
  const { items } = submissionOf(await heard(asked));
  const awaited = files.filter(({ itemId }) =>
    items.some((item) => item.itemId === itemId && item.status === 'pending'),
  );
  for (let next = 0; next < awaited.length; next += 4) {
    await Promise.all(
      awaited.slice(next, next + 4).map(async (file) => {
        const { bytes, contentType, itemId, filename } = file;
        const answer = await sendFile(`${to.baseUrl}/me/set-uploads/${id}/assets`, to.token, {
          bytes,
          contentType,
          query: { itemId },
          headers: { 'x-upload-filename': filename, 'x-upload-sha256': null },
        });
        expect(answer.ok).toBe(true);
        await answer.arrayBuffer();
      }),
    );
  }
}

it('goes on in the next process when the first is killed, and applies each item once', async () => {
  for (let round = 0; round < 3; round++) {
    const { files, body } = await declaredCards();
    let serving = await start();
    const { submissionId } = submissionOf(await post(serving, '', body));
    const killed = sleep(randomInt(120)).then(() => serving.kill());
    // Cut off by the kill, or just done before it.
    await Promise.allSettled([transfer(serving, submissionId, files)]);
    await killed;
    serving = await start();
    expect(submissionOf(await post(serving, '', body)).submissionId).toBe(submissionId);
    await transfer(serving, submissionId, files);
    const completing = post(serving, `/${submissionId}/complete`, {});
    if (round === 1) {
      await Promise.allSettled([completing, sleep(randomInt(10)).then(() => serving.kill())]);
      serving = await start();
      await post(serving, `/${submissionId}/complete`, {});
    }
    await Promise.allSettled([completing]);
    const done = submissionOf(
      await heard(
        await fetch(`${serving.baseUrl}/me/set-uploads/${submissionId}`, {
          headers: { authorization: `Bearer ${serving.token}` },
        }),
      ),
    );
    await serving.end();
    expect(done).toMatchObject({ status: 'completed', outcome: 'succeeded' });
    const database = openDatabase(folder.path, () => {});
    const effects = database.all(
      'SELECT operation, count(*) AS many FROM effects WHERE client_mutation_id = ? GROUP BY operation',
      body.clientMutationId,
    );
    database.close();
    expect(Object.fromEntries(effects.map((row) => [row.text('operation'), row.integer('many')]))).toEqual({
      'set.create.admit': 1,
      'submission.file': cards,
      'set.create': 1,
      'asset.add': cards,
      'submission.complete': 1,
    });
  }
});

it('is completed once by two processes at once', async () => {
  const both = await Promise.all([start(), start()]);
  const [one, other] = both;
  const { files, body } = await declaredCards();
  const admitted = await Promise.all(both.map((child) => post(child, '', body)));
  expect(new Set(admitted.map((answer) => submissionOf(answer).submissionId)).size).toBe(1);
  const { submissionId } = submissionOf(await post(one, '', body));
  await Promise.all([transfer(one, submissionId, files), transfer(other, submissionId, files)]);
  const completed = await Promise.all(both.map((child) => post(child, `/${submissionId}/complete`, {})));
  const ids = completed.map((answer) => submissionOf(answer).items.map(({ assetId }) => assetId));
  expect(ids[0]).toEqual(ids[1]);
  expect(new Set(ids[0]).size).toBe(cards);
  await Promise.all(both.map((child) => child.end()));
});
