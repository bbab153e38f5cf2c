import { randomUUID } from 'node:crypto';
import { readdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../src/sandbox/store/database.ts';
import { type Bundle, bundle } from '../support/bundle.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { heard, sendFile, startCatalogue } from './me-catalogue.ts';
import { poster } from './me-pictures.ts';
import { type CatalogueProcess, startProcess } from './me-processes.ts';
import { plantWorks, works } from './me-works.ts';

let built: Bundle;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
const children: CatalogueProcess[] = [];
const start = () => startProcess(built.program('catalogue'), folder.path);

beforeAll(async () => {
  built = await bundle({ catalogue: 'test/sandbox/me-process.ts' });
  folder = await temporaryFolder();
  const first = await startCatalogue({ dataDir: folder.path });
  plantWorks(first.database);
  await first.stop();
  children.push(...(await Promise.all([start(), start()])));
});
afterAll(async () => {
  await Promise.all(children.map((child) => child.end()));
  await folder.remove();
  await built.remove();
});

const query = () => ({
  operation: 'add',
  clientMutationId: randomUUID(),
  slot: 'poster',
  targetKind: 'movie',
  targetId: works.movie.id,
});

it('applies an identity once, however many processes it reaches at once', async () => {
  for (let round = 0; round < 10; round++) {
    const asked = query();
    const bytes = await poster();
    const answers = await Promise.all(
      [...children, ...children, ...children].map(async ({ baseUrl, token }) =>
        heard(await sendFile(`${baseUrl}/me/assets`, token, { bytes, query: asked })),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 201]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  }
});

it('keeps its receipts when it is killed, and sweeps what the killed one has left', async () => {
  const asked = query();
  const bytes = await poster();
  const [victim] = children.splice(0, 1, await start());
  if (victim === undefined) throw new Error('There is no child.');
  const send = ({ baseUrl, token }: { baseUrl: string; token: string }) =>
    sendFile(`${baseUrl}/me/assets`, token, { bytes, query: asked });
  const first = await heard(await send(victim));
  expect(first.status).toBe(201);
  await victim.kill();
  const old = [
    path.join(folder.path, 'uploads', `${randomUUID()}.part`),
    path.join(folder.path, 'pictures', `upload-${randomUUID()}.png`),
  ];
  const recent = path.join(folder.path, 'uploads', `${randomUUID()}.part`);
  for (const file of [...old, recent]) await writeFile(file, 'left');
  for (const file of old) await utimes(file, new Date(0), new Date(0));

  const successor = await start();
  children.push(successor);
  const second = await heard(await send(successor));
  expect(second).toMatchObject({ status: 200, body: first.body });
  const names = await Promise.all(
    ['uploads', 'pictures'].map((name) => readdir(path.join(folder.path, name))),
  );
  const left = names.flat();
  for (const file of old) expect(left).not.toContain(path.basename(file));
  expect(left).toContain(path.basename(recent));
  const database = openDatabase(folder.path, () => {});
  const kept = database.all('SELECT uploaded_file FROM assets WHERE uploaded_file IS NOT NULL');
  database.close();
  expect(kept.length).toBeGreaterThan(10);
  for (const row of kept) expect(left).toContain(row.text('uploaded_file'));
});
