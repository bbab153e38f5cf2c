import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { editAsset, type NewAsset, storeAsset } from '../../src/sandbox/artwork/assets.ts';
import { slots } from '../../src/sandbox/artwork/slots.ts';
import { metadataImagesOf } from '../../src/sandbox/artwork/targets.ts';
import { type Embedded, startEmbedded } from './embedded.ts';

let embedded: Embedded;
let origin: string;

beforeAll(async () => {
  embedded = await startEmbedded();
  origin = embedded.sandbox.origin;
});

afterAll(() => embedded.stop());

const mediaTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
};

async function picture(url: string) {
  const response = await fetch(url);
  expect(response.status, url).toBe(200);
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(response.headers.get('content-type')).toBe(mediaTypes[url.split('.').at(-1) ?? '']);
  expect(Number(response.headers.get('content-length'))).toBe(bytes.byteLength);
  return { response, bytes, metadata: await sharp(bytes).metadata() };
}

test.each(Object.keys(slots))('the picture of a %s is what its Asset says', async (slot) => {
  const asset = embedded.sandbox.database.only(
    'SELECT * FROM assets WHERE slot = ? ORDER BY id LIMIT 1',
    slot,
  );
  const format = asset.text('format');
  const extension = format === 'jpeg' ? 'jpg' : format;
  const { metadata } = await picture(`${origin}/artwork/${asset.text('id')}.${extension}`);
  expect(metadata.format).toBe(format);
  expect([metadata.width, metadata.height]).toEqual([asset.integer('width'), asset.integer('height')]);
  if (slot === 'logo') expect(metadata.hasAlpha).toBe(true);
});

test.each(Object.keys(metadataImagesOf))('metadataImages of a %s are pictures, or null', async (kind) => {
  const paths: Readonly<Record<string, string>> = { company: 'companies', person: 'people' };
  const { database, baseUrl } = embedded.sandbox;
  const row = database.only('SELECT id FROM metadata_images WHERE kind = ? LIMIT 1', kind);
  const response = await fetch(`${baseUrl}/${paths[kind] ?? `${kind}s`}/${row.integer('id')}`);
  const { data } = (await response.json()) as { data: { metadataImages: Record<string, string | null> } };
  const urls = Object.values(data.metadataImages).filter((url) => url !== null);
  expect(urls.length).toBeGreaterThan(0);
  for (const url of urls) {
    expect(url.startsWith(`${origin}/metadata/${kind}/`)).toBe(true);
    await picture(url);
  }
});

test('a picture is known again', async () => {
  const id = embedded.sandbox.database.only("SELECT id FROM assets WHERE slot = 'icon' LIMIT 1").text('id');
  const url = `${origin}/artwork/${id}.png`;
  const { response, bytes } = await picture(url);
  const etag = response.headers.get('etag') ?? '';
  expect(etag).toMatch(/^"[\w-]+"$/);
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const again = await fetch(url, { headers: { 'if-none-match': known } });
    expect(again.status, known).toBe(304);
    expect((await again.arrayBuffer()).byteLength).toBe(0);
  }
  const changed = await fetch(url, { headers: { 'if-none-match': '"other"' } });
  expect(Buffer.from(await changed.arrayBuffer()).equals(bytes)).toBe(true);
  const head = await fetch(url, { method: 'HEAD' });
  expect(Number(head.headers.get('content-length'))).toBe(bytes.byteLength);
});

test('another catalogue has the same pictures, and an edit of an Asset changes none that was seen', async () => {
  const other = await startEmbedded();
  try {
    const { database } = embedded.sandbox;
    for (const slot of Object.keys(slots)) {
      const asset = database.only('SELECT * FROM assets WHERE slot = ? ORDER BY id DESC LIMIT 1', slot);
      const id = asset.text('id');
      const file = `/artwork/${id}.${asset.text('format').replace('jpeg', 'jpg')}`;
      const { bytes } = await picture(origin + file);
      expect((await picture(other.sandbox.origin + file)).bytes.equals(bytes), slot).toBe(true);
      editAsset(database, id, { languageCode: 'nl' }, embedded.now().toISOString());
      expect((await picture(origin + file)).bytes.equals(bytes), slot).toBe(true);
    }
  } finally {
    await other.stop();
  }
});

test('a replaced Asset keeps its picture', async () => {
  const replaced = embedded.sandbox.database.only(
    "SELECT id FROM assets WHERE replaced_from IS NOT NULL AND format = 'webp' LIMIT 1",
  );
  await picture(`${origin}/artwork/${replaced.text('id')}.webp`);
});

test('an uploaded picture is served as it was uploaded', async () => {
  const bytes = await sharp({ create: { width: 20, height: 30, channels: 3, background: '#236' } })
    .webp()
    .toBuffer();
  await mkdir(path.join(embedded.dataDir, 'pictures'), { recursive: true });
  const at = embedded.now().toISOString();
  const asset: NewAsset = {
    id: '6f1a4f0c-92a8-4c59-8d0c-7c1f8c6a2b11',
    slot: 'poster',
    targetKind: 'movie',
    targetId: embedded.sandbox.database.only('SELECT id FROM movies LIMIT 1').integer('id'),
    setId: null,
    ownerId: 1,
    languageCode: null,
    editionId: null,
    format: 'webp',
    uploadedFile: 'upload-6f1a4f0c.webp',
    width: 20,
    height: 30,
    createdAt: at,
    publicFrom: at,
  };
  storeAsset(embedded.sandbox.database, asset);
  expect((await fetch(`${origin}/artwork/${asset.id}.webp`)).status).toBe(404);
  await writeFile(path.join(embedded.dataDir, 'pictures', 'upload-6f1a4f0c.webp'), bytes);
  expect((await picture(`${origin}/artwork/${asset.id}.webp`)).bytes.equals(bytes)).toBe(true);
});

test('what is no picture is not_found', async () => {
  const { database } = embedded.sandbox;
  const id = database.only("SELECT id FROM assets WHERE format = 'webp' LIMIT 1").text('id');
  const movie = database.only(
    `SELECT id FROM movies m WHERE NOT EXISTS
       (SELECT 1 FROM metadata_images i WHERE i.kind = 'movie' AND i.id = m.id AND i.slot = 'logo') LIMIT 1`,
  );
  for (const wrong of [
    `/artwork/${id}.png`,
    `/artwork/${id}`,
    `/artwork/${id.toUpperCase()}.webp`,
    '/artwork/00000000-0000-4000-8000-000000000000.webp',
    '/artwork/..%2fcatalogue.db',
    '/artwork/',
    `/metadata/movie/${movie.integer('id')}/logo.png`,
    `/metadata/movie/${movie.integer('id')}/..%2f..%2fcatalogue.db`,
    '/metadata/nothing/1/poster.jpg',
  ]) {
    const response = await fetch(origin + wrong);
    expect(response.status, wrong).toBe(404);
    expect(await response.json(), wrong).toMatchObject({ data: null, error: { code: 'not_found' } });
  }
});
