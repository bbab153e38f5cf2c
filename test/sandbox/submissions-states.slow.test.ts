import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OwnersCatalogue, refusal, startCatalogue, textOf } from './me-catalogue.ts';
import { picture } from './me-pictures.ts';
import { plantShow } from './me-works.ts';
import { type Declared, declare, fileOf, Submissions, submissionOf } from './submissions-client.ts';
import { type Life, lives } from './submissions-lives.ts';

const lag = 5_000;
const workingMs = 60_000;
const failure = { code: 'made.up', message: 'It could not be done.' };

let catalogue: OwnersCatalogue;
let token: string;
/** New Sets count up from the highest id: shows count down. */
let lastShow = 600_000;

beforeAll(async () => {
  catalogue = await startCatalogue({ publicationLagMs: lag, faults: true });
  token = await catalogue.token(1);
});
afterAll(() => catalogue.stop());

async function queue(fault: object): Promise<void> {
  const answer = await fetch(`${catalogue.sandbox.origin}/.sandbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fault),
  });
  expect(answer.status).toBe(201);
}

const place = (targetId: number) => ({ targetKind: 'episode', targetId, slot: 'titlecard' });
const unused = {
  existingAssetId: null,
  expectedPreviousAssetId: null,
  expectedAssetUpdatedAt: null,
  declaredFile: null,
};

interface Begun {
  readonly life: Life;
  readonly submissions: Submissions;
  readonly path: string;
  readonly body: Record<string, unknown>;
  /** Null for an item without a file. */
  readonly files: readonly (Declared | null)[];
  /** The Asset of each item that brings no file. */
  readonly assets: readonly (string | null)[];
  revision(): Promise<string>;
}

/** A show of its own, its empty Set, and what an admission of this life would be. */
async function begin(life: Life): Promise<Begun> {
  lastShow -= 1;
  const { setId, episodes } = plantShow(catalogue.database, lastShow, life.items.length);
  const revision = async () => textOf(await catalogue.get(`/me/sets/${setId}`, token), 'updatedAt');
  const files: (Declared | null)[] = [];
  const assets: (string | null)[] = [];
  const items: object[] = [];
  for (const [position, what] of life.items.entries()) {
    const targetId = episodes[position] ?? 0;
    if (what === 'relabelled' || what === 'stale') {
      const receipt = await catalogue.upload(`/me/sets/${setId}/assets`, token, {
        bytes: await picture(640, 360),
        query: { operation: 'add', clientMutationId: randomUUID(), languageCode: 'en', ...place(targetId) },
      });
      const existingAssetId = textOf(receipt, 'assetId');
      items.push({
        ...unused,
        itemId: randomUUID(),
        position,
        ...place(targetId),
        operation: 'asset_metadata',
        existingAssetId,
        expectedAssetUpdatedAt: textOf(receipt, 'updatedAt'),
        languageCode: 'fr',
      });
      files.push(null);
      assets.push(existingAssetId);
      continue;
    }
    const file = declare(await (what === 'refused' ? picture(600, 600) : picture(640, 360)));
    const declared = { itemId: file.itemId, position, ...place(targetId) };
    items.push(
      life.family === 'creation'
        ? { ...declared, ...fileOf(file) }
        : { ...unused, ...declared, operation: 'add', declaredFile: fileOf(file) },
    );
    files.push(file);
    assets.push(null);
  }
  const common = { life, files, assets, revision };
  const clientMutationId = randomUUID();
  if (life.family === 'creation') {
    const body = {
      clientMutationId,
      setKind: 'media_set',
      entryTargetKind: 'show',
      entryTargetId: lastShow,
      titleBase: 'Cards',
      description: null,
      languageCode: 'en',
      editionId: null,
      finalised: true,
      destination: null,
      declaredFiles: items,
    };
    const submissions = new Submissions(catalogue, token, '/me/set-uploads');
    return { ...common, submissions, path: '/me/set-uploads', body };
  }
  const metadata = life.metadata === true ? { titleBase: 'Afterwards' } : {};
  const body = {
    clientMutationId,
    setId,
    setKind: 'media_set',
    expectedUpdatedAt: await revision(),
    items,
    ...metadata,
  };
  const submissions = new Submissions(catalogue, token, '/me/set-updates');
  return { ...common, submissions, path: `/me/sets/${setId}/updates`, body };
}

/** Sends every file, and sees that the submission is not completed before each has an outcome (States, 1). */
async function transfer({ life, submissions, path, files }: Begun, id: string): Promise<void> {
  const root = path.startsWith('/me/sets/') ? '/me/set-updates' : path;
  for (const [position, file] of files.entries()) {
    if (file === null) continue;
    expect(await submissions.complete(id)).toMatchObject({
      status: 409,
      body: refusal('submission.files_pending'),
    });
    const broken = life.items[position] === 'broken';
    if (broken) await queue({ path: `${root}/*/assets`, do: 'process', milliseconds: workingMs, failure });
    const refused = life.items[position] === 'refused';
    expect((await submissions.send(id, file)).status).toBe(refused ? 422 : 201);
    // States, 2: what was taken stays `processing`.
    expect((await submissions.read(id)).items[position]?.status).toBe(refused ? 'failed' : 'processing');
    if (broken) {
      expect((await submissions.complete(id)).status).toBe(409);
      catalogue.pass(workingMs);
      expect((await submissions.read(id)).items[position]?.status).toBe('failed');
    }
  }
}

async function makeStale({ life, assets, body }: Begun): Promise<void> {
  for (const [position, asset] of assets.entries()) {
    if (asset === null || life.items[position] !== 'stale') continue;
    const items = Array.isArray(body.items) ? body.items : [];
    const expectedUpdatedAt: unknown = items[position]?.expectedAssetUpdatedAt;
    const edit = { expectedUpdatedAt, languageCode: 'it' };
    expect((await catalogue.post(`/me/assets/${asset}/metadata`, token, edit)).status).toBe(200);
  }
}

describe('a submission of the embedded catalogue', () => {
  it.each(lives.map((life) => [life.name, life] as const))('%s', async (_, life) => {
    const begun = await begin(life);
    const { submissions, path, body } = begun;
    const revision = () => (life.family === 'edit' ? begun.revision() : null);
    const admittedAt = await revision();
    const receipt = await catalogue.post(path, token, body);
    const admitted = submissionOf(receipt);
    const id = admitted.submissionId;
    expect(admitted).toMatchObject({ status: 'processing', outcome: null, publicationStatus: 'pending' });
    expect(admitted.items.map(({ status }) => status)).toEqual(
      begun.files.map((file) => (file === null ? 'processing' : 'pending')),
    );
    await transfer(begun, id);
    // States, 8.
    expect(await revision()).toBe(admittedAt);
    await makeStale(begun);
    const before = await revision();

    const root = life.family === 'edit' ? '/me/set-updates' : '/me/set-uploads';
    const working = life.meanwhile === null ? 0 : workingMs;
    await queue({
      path: `${root}/*/complete`,
      do: 'process',
      milliseconds: working,
      unresolved: life.meanwhile === 'unresolved',
      failure: life.fails === true ? failure : null,
    });
    const completed = submissionOf(await submissions.complete(id));
    if (life.meanwhile !== null) {
      for (const seen of [
        completed,
        await submissions.read(id),
        submissionOf(await submissions.complete(id)),
      ]) {
        expect(seen).toMatchObject({
          status: 'processing',
          outcome: life.meanwhile === 'unresolved' ? 'unresolved' : null,
          publicationStatus: 'pending',
        });
        const words = life.end.map((word) => (word === 'failed' ? word : 'processing'));
        expect(seen.items.map(({ status }) => status)).toEqual(words);
        expect(seen.items.map(({ assetId }) => assetId)).toEqual(life.end.map(() => null));
      }
      catalogue.pass(workingMs);
    }
    const ended = await submissions.read(id);
    const { outcome } = life;
    const came = outcome === 'succeeded' || outcome === 'partial';
    expect(ended).toMatchObject({ status: 'completed', outcome });
    expect(ended.items.map(({ status }) => status)).toEqual(life.end);
    for (const { status, assetId, error } of ended.items) {
      expect(assetId === null).toBe(status !== 'succeeded');
      expect(error === null).toBe(status === 'succeeded');
    }
    expect(ended.set === null).toBe(!came);
    if (before !== null) expect((await revision()) === before).toBe(!came);

    // It has ended: nothing takes it anywhere else.
    for (const file of begun.files) if (file !== null) await submissions.send(id, file);
    expect(submissionOf(await submissions.complete(id))).toEqual(ended);
    expect(await catalogue.post(path, token, body)).toMatchObject({ status: 200, body: receipt.body });
    expect(await submissions.read(id)).toEqual(ended);

    // States, 3: it ended before the public sees it.
    catalogue.pass(lag);
    expect((await submissions.read(id)).publicationStatus).toBe(came ? 'succeeded' : 'not_required');
  });
});
