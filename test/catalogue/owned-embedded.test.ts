import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { protectedScopes } from '../../src/catalogue/authorization.ts';
import type { Owned } from '../../src/catalogue/owned.ts';
import { findRelationship, revisionOf, serviceRevision } from '../../src/catalogue/records/owned.ts';
import type { Log } from '../../src/log.ts';
import { everyScope, type OwnersCatalogue, startCatalogue } from '../sandbox/me-catalogue.ts';
import { handOut, ownedAt } from './owned-access.ts';

// The client and the embedded catalogue are two independent readings of the interface document: whatever
// one of them sends, the other must find as it should be.
let catalogue: OwnersCatalogue;
let token: string;
const surprises: string[] = [];

beforeAll(async () => {
  catalogue = await startCatalogue();
  token = await catalogue.token(1);
});
afterAll(() => catalogue.stop());

const keep = (line: string) => surprises.push(line);
const log: Log = { error: keep, warn: keep, info: keep, debug: keep };

const owner = (tokens = [token], scopes: readonly string[] = protectedScopes): Owned =>
  ownedAt(catalogue.baseUrl, handOut({ tokens, scopes }), { log });

const idOf = (value: unknown): number => {
  if (typeof value !== 'number') throw new Error('not an id');
  return value;
};

describe('what is one’s own', () => {
  test('can be found and read, each with its own revision', async () => {
    const owned = owner();
    const [destination] = await owned.findUploadDestinations({ kind: 'media_set' });
    const set = await owned.readSet(idOf(destination?.id));
    const assets = Array.isArray(set.assets) ? set.assets : [];
    const asset = await owned.readAsset(String(assets[0]?.id));
    const [box] = await owned.findUploadDestinations({ kind: 'boxset' });
    const group = await owned.readGroup(idOf(box?.id));
    for (const record of [set, asset, group]) {
      const revision = revisionOf(record);
      expect(revision).toBe(record.updatedAt);
      expect(serviceRevision(revision)).toBe(revision);
    }
    expect(revisionOf(await owned.readSet(idOf(set.id)))).toBe(revisionOf(set));
    expect(asset).toMatchObject({ id: assets[0]?.id, updatedAt: assets[0]?.updatedAt });
    expect(surprises).toEqual([]);
  });

  test('can be searched for', async () => {
    const owned = owner();
    const loadouts = await owned.findUploadDestinations({ kind: 'boxset', family: 'game' });
    expect(loadouts).not.toEqual(await owned.findUploadDestinations({ kind: 'boxset' }));
    const title = String(loadouts[0]?.title);
    const found = await owned.findUploadDestinations({ kind: 'boxset', family: 'game', q: title });
    expect(found.map((one) => one.title)).toContain(title);
    expect(await owned.findUploadDestinations({ kind: 'boxset', q: '% _ + & "none"' })).toEqual([]);
  });

  test('relationships are found by their targets', async () => {
    const { items, nextPage } = await owner().readRelationships(null);
    expect(items).not.toEqual([]);
    expect(nextPage).toBeNull();
    for (const item of items) {
      const { id, kind, name } = Object(item.target);
      expect(findRelationship(items, { targetKind: kind, targetId: id })).toBe(item);
      expect(findRelationship(items, { targetKind: kind, targetId: name })).toBe(item);
    }
  });

  test('an upload that never was is not known', async () => {
    expect(await owner().findAssetUpload('5f0c0e5e-5f63-4d3c-9a55-0d9a6c1f5f10')).toBeNull();
  });
});

describe('what is refused', () => {
  test('what is somebody else’s', async () => {
    const others = await catalogue.token(2);
    const [destination] = await owner([others]).findUploadDestinations({ kind: 'media_set' });
    await expect(owner().readSet(idOf(destination?.id))).rejects.toMatchObject({
      category: 'forbidden',
      status: 403,
      code: 'resource.not_owned',
    });
  });

  test('what is nobody’s', async () => {
    await expect(owner().readSet(999_999_999)).rejects.toMatchObject({ category: 'not_found', status: 404 });
  });

  test('what was not granted, whether that is known here or only there', async () => {
    const less = everyScope.replace(' sets:write', '');
    const lesser = await catalogue.token(1, less);
    await expect(owner([lesser], less.split(' ')).readSet(1)).rejects.toMatchObject({
      category: 'scope_missing',
      status: undefined,
      next: { tool: 'connect_account', arguments: { scopes: [...less.split(' '), 'sets:write'] } },
    });
    await expect(owner([lesser]).readSet(1)).rejects.toMatchObject({ category: 'forbidden', status: 403 });
  });

  test('a token that is not accepted is given up for the next', async () => {
    const spent = 'a-token-that-was-never-given-out';
    const access = handOut({ tokens: [spent, token] });
    const owned = ownedAt(catalogue.baseUrl, access);
    const [destination] = await owned.findUploadDestinations({ kind: 'media_set' });
    expect(destination).toBeDefined();
    expect(access.asked).toEqual(['bearer', 'rejected 0']);
    await expect(owner([spent, `${spent}-either`]).readSet(1)).rejects.toMatchObject({
      category: 'reconnect_required',
      code: 'invalid_token',
    });
  });
});
