import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Catalogue, everyScope, picture, type Row, startCatalogue } from './catalogue.ts';

const lag = 'PASS 60000';
let own: Catalogue;
/** Pictures, and what the first account and another one hold. */
let known: Record<string, unknown>;
beforeAll(async () => {
  own = await startCatalogue({ publicationLagMs: 60_000 });
  const brands = { networkIds: ['{network}'], companyIds: ['{company}'] };
  const person = { setKind: 'talent_set', entryTargetKind: 'person', entryTargetId: '{person}' };
  const boxset = { title: 'A box of mine', kind: 'boxset' };
  known = await own.run(
    [
      ['talent = POST /me/grouping-sets', { titleBase: 'A person', ...person }, '201'],
      ['brand = POST /me/grouping-sets', { titleBase: 'Brands', setKind: 'brand_set', ...brands }, '201'],
      ['box = POST /me/groups', boxset, '201'],
      ['load = POST /me/groups', { title: 'A load', kind: 'loadout' }, '201'],
      ['theirTalent = POST /me/grouping-sets BY 1', { titleBase: 'Theirs', ...person }, '201'],
      ['theirBox = POST /me/groups BY 1', boxset, '201'],
      ['theirs = FILE /me/assets?{at} BY 1', '{png}', '201'],
    ],
    {
      ...{ png: await picture(), other: await picture(), small: await picture(180, 270) },
      ...{ square: await picture(300, 300), moving: await picture(200, 300, 3), empty: Buffer.of() },
      ...{ huge: Buffer.alloc(20_971_521), cut: (await picture()).subarray(0, -40) },
      at: 'slot=poster&targetKind=movie&targetId=42620',
    },
  );
});
afterAll(() => own.stop());
const run = (rows: readonly Row[]) => own.run(rows, known);

/** Each protected operation with its scopes: `+` all of them, `|` any one. */
test.each([
  ['GET /me/assets/{uuid}', 'assets:write|assets:replace'],
  ['GET /me/sets/{talent.id}', 'sets:write'],
  ['GET /me/groups/{box.id}', 'groups:write'],
  ['GET /me/upload-destinations?kind=media_set', 'sets:write'],
  ['GET /me/upload-destinations?kind=talent_set', 'sets:write'],
  ['GET /me/upload-destinations?kind=boxset', 'groups:write'],
  ['GET /me/asset-uploads/{uuid}', 'assets:write|assets:replace'],
  ['GET /me/relationships', 'relationships:write'],
  ['POST /me/assets?operation=add', 'assets:write'],
  ['POST /me/assets?operation=replace', 'assets:replace'],
  ['POST /me/sets/{talent.id}/assets?operation=add', 'assets:write'],
  ['POST /me/sets/{talent.id}/assets?operation=replace', 'assets:replace'],
  ['POST /me/groups/{box.id}/poster?operation=add', 'groups:write+assets:write'],
  ['POST /me/groups/{box.id}/poster?operation=replace', 'groups:write+assets:replace'],
  ['POST /me/assets/{uuid}/metadata', 'assets:write'],
  ['POST /me/assets/{uuid}/preview', 'assets:replace'],
  ['POST /me/groups', 'groups:write'],
  ['POST /me/groups/{box.id}', 'groups:write'],
  ['POST /me/grouping-sets', 'sets:write'],
  ['POST /me/grouping-sets/{talent.id}/assets', 'sets:write'],
  ['POST /me/relationships', 'relationships:write'],
  ['POST /me/set-uploads', 'sets:write+assets:write'],
  ['POST /me/set-uploads/{uuid}/assets?itemId={uuid}', 'sets:write+assets:write'],
  ['GET /me/set-uploads/{uuid}', 'sets:write+assets:write'],
  ['POST /me/set-uploads/{uuid}/complete', 'sets:write+assets:write'],
  ['POST /me/sets/{talent.id}/updates', 'sets:write'],
  ['POST /me/set-updates/{uuid}/assets?itemId={uuid}', 'sets:write'],
  ['GET /me/set-updates/{uuid}', 'sets:write'],
  ['POST /me/set-updates/{uuid}/complete', 'sets:write'],
])('%s is done with %s alone', async (written, scopes) => {
  const uuid = '00000000-0000-4000-8000-000000000000';
  const path = written.replace(/\{(\w+).*?\}/g, (_, name) => Object(known[name]).id ?? uuid);
  expect((await own.send(path)).status).toBe(401);
  const [each, any] = [scopes.split('+'), scopes.split('|')];
  for (const lacking of any.length > 1 ? [any] : each.map((one) => [one])) {
    const others = everyScope.split(' ').filter((scope) => !lacking.includes(scope));
    expect((await own.own(path, {}, '0', others.join(' '))).is).toBe('403 insufficient_scope');
  }
  for (const enough of any.length > 1 ? any : [each.join(' ')]) {
    expect([401, 403]).not.toContain((await own.own(path, {}, '0', enough)).status);
  }
});

test('only one living bearer token is let in, and no cookie', async () => {
  const [good, over] = [await own.token(), await own.token(0, 'relationships:write')];
  await own.control.fail({ method: 'GET', path: '/me/relationships', do: 'expire_token', when: 'before' });
  for (const [status, authorization, cookie = {}] of [
    [401, `Bearer ${over}`],
    [200, `bearer ${good}`],
    [401, 'Bearer unknown'],
    [401, `Bearer ${good}, Bearer ${good}`],
    [401, `Basic ${good}`],
    [400, `Bearer ${good}`, { cookie: 'session=1' }],
  ] as const) {
    const answer = await own.send('GET /me/relationships', null, { authorization, ...cookie });
    const asks = answer.headers.has('www-authenticate');
    expect([answer.status, asks], authorization).toEqual([status, status === 401]);
  }
});

const edit = { expectedUpdatedAt: '{theirs.updatedAt}' };
const theirItem = {
  itemId: '{uuid}',
  position: 0,
  slot: 'poster',
  targetKind: 'movie',
  targetId: '{otherMovie}',
};
const assign = { ...theirItem, existingAssetId: '{theirs.assetId}', expectedAssetUpdatedAt: 'r' };
const admission = { clientMutationId: '{uuid}', setKind: 'talent_set', ...edit, items: [] };
test.each<[string, unknown?]>([
  ['GET /me/assets/{theirs.assetId}'],
  ['GET /me/sets/{theirTalent.id}'],
  ['GET /me/groups/{theirBox.id}'],
  ['POST /me/assets/{theirs.assetId}/metadata', { ...edit, languageCode: 'fr' }],
  ['POST /me/assets/{theirs.assetId}/preview', { ...edit, selectedSourceFrame: 0 }],
  ['POST /me/groups', { kind: 'boxset', title: 'Mine', setIds: ['{theirTalent.id}'] }],
  ['POST /me/groups/{theirBox.id}', { ...edit, title: 'Mine' }],
  ['POST /me/grouping-sets/{theirTalent.id}/assets', { ...edit, items: [assign] }],
  ['POST /me/grouping-sets/{talent.id}/assets', { expectedUpdatedAt: '{talent.updatedAt}', items: [assign] }],
  ['POST /me/sets/{theirTalent.id}/updates', { ...admission, setId: '{theirTalent.id}', titleBase: 'Mine' }],
  ['FILE /me/assets?{at}&operation=replace&previousAssetId={theirs.assetId}', '{png}'],
  ['FILE /me/sets/{theirTalent.id}/assets?slot=poster', '{png}'],
  ['FILE /me/groups/{theirBox.id}/poster', '{png}'],
])('%s is refused, as it is another account’s', async (request, body) => {
  await run([[request, body, '403 resource.not_owned']]);
});

const issues = { error: { issues: [{ path: ['setIds', '1'] }] } };
test('what is not there is not found, and an issue names its field', () =>
  run([
    ['GET /me/sets/9', null, '404 not_found'],
    ['GET /me/groups/9', null, '404 not_found'],
    ['GET /me/assets/{uuid}', null, '404 not_found'],
    ['GET /me/set-uploads/{uuid}', null, '404 not_found'],
    ['GET /me/asset-uploads/{uuid}', null, '404 not_found'],
    ['GET /me/nothing', null, '404 not_found'],
    ['POST /me/groups', { title: 'T', kind: 'boxset', setIds: [1, 'two'] }, '400 invalid_request', issues],
  ]));

/** Which of these Assets public reads list at a movie. */
async function listed(...made: unknown[]): Promise<boolean[]> {
  const { posters } = (await own.send('GET /movies/42620')).data.assets;
  return made.map((one) => posters.some(({ id }: { id: string }) => id === Object(one).assetId));
}

test('an upload is read by its owner and, after the lag, by everybody, with the very bytes', async () => {
  const status = { assetId: '{a.assetId}', processingStatus: 'succeeded', publicationStatus: 'pending' };
  const upload = '/me/assets?{at}&languageCode=de&clientMutationId={uuid}';
  const { a, read } = await run([
    [`a = FILE ${upload}`, '{png}', '201', { publicationStatus: 'pending' }],
    ['read = GET /me/assets/{a.assetId}', null, '200', { updatedAt: '{a.updatedAt}', languageCode: 'de' }],
    ['GET /me/asset-uploads/{uuid}', null, '200', { ...status, clientMutationId: '{uuid}' }],
    ['GET /me/asset-uploads/{uuid} BY 1', null, '404 not_found'],
  ]);
  const served = async () => {
    const answer = await fetch(new URL(Object(read).path, own.baseUrl));
    return Buffer.from(await answer.arrayBuffer()).equals(Object(known.png));
  };
  for (const isPublic of [false, true]) {
    const newest = (await own.send('GET /feeds/assets')).data[0].assetId === Object(a).assetId;
    expect([newest, ...(await listed(a)), await served()]).toEqual([isPublic, isPublic, isPublic]);
    own.pass(60_000);
  }
  const { clientMutationId } = Object(a);
  const { data } = await own.own(`GET /me/asset-uploads/${clientMutationId.toUpperCase()}`);
  expect(data).toMatchObject({ clientMutationId, publicationStatus: 'succeeded' });
});

test('a replacement takes a place once, and the old Asset is public until the new one is', async () => {
  const replace = 'FILE /me/assets?{at}&operation=replace&previousAssetId=';
  const names = await run([
    ['a = FILE /me/assets?{at}&languageCode=fr', '{png}', '201'],
    [lag, null, ''],
    [`b = ${replace}{a.assetId}`, '{png}', '201'],
    ['GET /me/assets/{a.assetId}', null, '200', { replacedByAssetId: '{b.assetId}' }],
    ['GET /me/assets/{b.assetId}', null, '200', { languageCode: 'fr', previousAssetId: '{a.assetId}' }],
  ]);
  expect(await listed(names.a, names.b)).toEqual([true, false]);
  own.pass(60_000);
  expect(await listed(names.a, names.b)).toEqual([false, true]);
  const [first, second] = [Object(names.a).assetId, Object(names.b).assetId];
  const links = [first, second, '{c.assetId}'];
  const replacements = [0, 1].map((at) => ({ previousAssetId: links[at], newAssetId: links[at + 1] }));
  const late = { expectedUpdatedAt: 'r', languageCode: 'de' };
  const logo = replace.replace('{at}', 'slot=logo&targetKind=movie&targetId=42620');
  await run([
    [`c = ${replace}${second}`, '{png}', '201'],
    [lag, null, ''],
    ['GET /feeds/assets', null, '200', { 0: { assetId: '{c.assetId}', replacements } }],
    [`${replace}${first}`, '{png}', '409 asset.replaced'],
    [`POST /me/assets/${first}/metadata`, late, '409 asset.replaced'],
    [`${logo}{c.assetId}`, '{png}', '422 asset.other_place'],
  ]);
});

test.each([
  ['/me/sets/{talent.id}', 'assets', { assets: [{ id: '{b.assetId}' }] }],
  ['/me/groups/{box.id}', 'poster', { poster: { id: '{b.assetId}' } }],
])('an upload to %s fills a free place of it, and gives it a new revision', async (holder, to, has) => {
  const { before, after } = await run([
    [`before = GET ${holder}`, null, '200'],
    [`a = FILE ${holder}/${to}`, '{png}', '201'],
    [`after = GET ${holder}`, null, '200'],
    [`FILE ${holder}/${to}`, '{png}', '409 slot.occupied'],
    [`b = FILE ${holder}/${to}?operation=replace&previousAssetId={a.assetId}`, '{png}', '201'],
    [`GET ${holder}`, null, '200', has],
    ['FILE /me/sets/{talent.id}/assets?{at}', '{png}', '422 target.outside_set'],
  ]);
  expect(Object(after).updatedAt > Object(before).updatedAt).toBe(true);
});

test('an upload is applied once for each identity, however fast it comes, and stands for one request', async () => {
  const upload = 'FILE /me/assets?{at}&clientMutationId={uuid}';
  const twice = { ...known, uuid: crypto.randomUUID() };
  const [{ a } = {}, { a: b } = {}] = await Promise.all(
    [201, 200].map(() => own.run([[`a = ${upload}`, '{png}', expect.stringMatching(/^20[01]$/)]], twice)),
  );
  expect(a).toEqual(b);
  await own.run(
    [
      [upload, '{png}', '200', { assetId: Object(a).assetId }],
      [upload, '{other}', '409 client_mutation.reused'],
      [`${upload}&languageCode=fr`, '{png}', '409 client_mutation.reused'],
    ],
    twice,
  );
  expect(await own.effects(twice.uuid)).toEqual(['asset.add']);
  await own.run([[`${upload} BY 1`, '{png}', '201']], twice);
});

test.each<[string, string, Record<string, string>?]>([
  ['413 asset.file.maxSize', '{huge}'],
  ['400 asset.file.empty', '{empty}'],
  ['415 asset.file.type', '{png}', { 'content-type': 'image/tiff' }],
  ['422 asset.file.content_mismatch', '{png}', { 'content-type': 'image/jpeg' }],
  ['422 asset.file.undecodable', '{cut}'],
  ['422 asset.file.dimensions', '{small}'],
  ['422 asset.file.ratio', '{square}'],
  ['422 asset.file.digest_mismatch', '{png}', { 'x-upload-sha256': '0'.repeat(64) }],
  ['400 invalid_request', '{png}', { 'x-upload-sha256': 'A'.repeat(64) }],
  ['400 invalid_request', '{png}', { 'x-upload-filename': '../picture.png' }],
])('an upload is refused with %s for %s and %j, which its status tells', async (is, bytes, headers = {}) => {
  const [, code] = is.split(' ');
  const details = code === 'asset.file.maxSize' ? { maxBytes: 20_971_520 } : {};
  // Only a file that was looked into has failed for good.
  const isFinal = is.startsWith('422') && code !== 'asset.file.digest_mismatch';
  const failed = { processingStatus: 'failed', publicationStatus: 'not_required', error: { code } };
  const names = await run([
    ['FILE /me/assets?{at}&clientMutationId={uuid}', [bytes, headers], is, { error: { details } }],
    ['GET /me/asset-uploads/{uuid}', null, isFinal ? '200' : '404 not_found', isFinal ? failed : {}],
  ]);
  expect(await own.effects(names.uuid)).toEqual([]);
});

test.each(['previousAssetId={uuid}', 'operation=replace', 'operation=move', 'colour=red', 'languageCode=!'])(
  'an upload is refused with %s in its query',
  async (wrong) => void (await run([[`FILE /me/assets?{at}&${wrong}`, '{png}', '400 invalid_request']])),
);

const at = (revision: string, body: object) => ({ expectedUpdatedAt: `{${revision}.updatedAt}`, ...body });
test('the metadata of an Asset changes as far as it is named, once for each revision', () => {
  const path = '/me/assets/{a.assetId}';
  return run([
    ['a = FILE /me/assets?{at}&languageCode=en', '{png}', '201'],
    [`b = POST ${path}/metadata`, at('a', { editionId: 1 }), '200'],
    [`GET ${path}`, null, '200', { languageCode: 'en', editionId: 1, updatedAt: '{b.updatedAt}' }],
    [`POST ${path}/metadata`, at('a', { languageCode: 'fr' }), '409 revision.stale'],
    [`c = POST ${path}/metadata`, at('b', { languageCode: null }), '200'],
    [`GET ${path}`, null, '200', { languageCode: null, editionId: 1, updatedAt: '{c.updatedAt}' }],
    [`POST ${path}/metadata`, at('c', { slot: 'logo' }), '400 invalid_request'],
    [`POST ${path}/metadata`, { languageCode: 'fr' }, '400 invalid_request'],
    [`POST ${path}/metadata`, at('c', { editionId: 99 }), '422 edition.unknown'],
  ]);
});

test('a preview is a frame of an animated picture, at its revision', () => {
  const frame = (selectedSourceFrame: number) => at('a', { selectedSourceFrame });
  return run([
    ['a = FILE /me/assets?{at}', '{png}', '201'],
    ['POST /me/assets/{a.assetId}/preview', frame(0), '422 asset.preview.not_animated'],
    ['a = FILE /me/assets?{at}', ['{moving}', { 'content-type': 'image/webp' }], '201'],
    ['POST /me/assets/{a.assetId}/preview', frame(3), '422 asset.preview.frame_range'],
    ['POST /me/assets/{a.assetId}/preview', frame(2), '200'],
    ['POST /me/assets/{a.assetId}/preview', frame(1), '409 revision.stale'],
    ['GET /me/assets/{a.assetId}', null, '200', { frames: 3, selectedSourceFrame: 2 }],
  ]);
});

test('a group is made once for each identity, and its membership is what was last said of it, in order', async () => {
  const freeSets = async (family: string) => {
    const { data } = await own.own(`GET /me/upload-destinations?kind=media_set&family=${family}`);
    const all = await Promise.all(data.map(({ id }: { id: number }) => own.own(`GET /me/sets/${id}`)));
    return all.flatMap((set) => (set.data.group === null ? set.data.id : []));
  };
  const [[one, two, three], [game]] = [await freeSets('media'), await freeSets('game')];
  const made = { clientMutationId: '{uuid}', kind: 'boxset', languageCode: 'en' };
  const make = { ...made, title: 'All', setIds: [two, one] };
  const has = (title: string, ...members: number[]) => ({ title, sets: members.map((id) => ({ id })) });
  await run([
    ['a = POST /me/groups', make, '201'],
    ['POST /me/groups', make, '200', { id: '{a.id}' }],
    ['POST /me/groups', { ...make, title: 'Other' }, '409 client_mutation.reused'],
    ['GET /boxsets/{a.id}', null, '404 not_found'],
    [lag, null, ''],
    ['GET /boxsets/{a.id}', null, '200', has('All', two, one)],
    ['b = POST /me/groups/{a.id}', at('a', { title: 'Named' }), '200'],
    ['POST /me/groups/{a.id}', at('a', { title: 'Late' }), '409 revision.stale'],
    ['GET /me/groups/{a.id}', null, '200', { ...has('Named', two, one), poster: null, languageCode: 'en' }],
    ['c = POST /me/groups/{a.id}', at('b', { setIds: [three, two] }), '200'],
    ['GET /me/groups/{a.id}', null, '200', has('Named', three, two)],
    [`GET /me/sets/${one}`, null, '200', { group: null }],
    [`GET /me/sets/${two}`, null, '200', { group: { id: '{a.id}' } }],
    ['POST /me/groups/{a.id}', at('c', { setIds: [game] }), '422 group.set_kind'],
    ['POST /me/groups/{a.id}', at('c', { setIds: [one, one] }), '409 group.set_taken'],
    ['POST /me/groups', { kind: 'boxset', title: 'G', setIds: [two] }, '409 group.set_taken'],
    ['POST /me/groups', { kind: 'loadout', title: 'G', setIds: [one] }, '422 group.set_kind'],
  ]);
});

const category = { entryTargetKind: 'category', entryTargetId: '{category}' };
test('a grouping Set is of a person, of a category, or of networks and companies', () => {
  const of = (setKind: string, subject: object) => ({ setKind, titleBase: 'Group', ...subject });
  const unseen = { publicationStatus: 'not_required' };
  const brands = { networks: [{ id: '{network}' }], companies: [{ id: '{company}' }] };
  return run([
    ['GET /me/sets/{talent.id}', null, '200', { setKind: 'talent_set', target: { id: '{person}' } }],
    ['GET /me/sets/{brand.id}', null, '200', { setKind: 'brand_set', target: null, ...brands }],
    ['GET /brand-set/{brand.id}', null, '200', brands],
    ['a = POST /me/grouping-sets', of('category_set', category), '201', unseen],
    ['GET /me/sets/{a.id}', null, '200', { title: 'Group', target: { id: '{category}', kind: 'category' } }],
    ['POST /me/grouping-sets', of('talent_set', category), '400 invalid_request'],
    ['POST /me/grouping-sets', of('brand_set', category), '400 invalid_request'],
    ['POST /me/grouping-sets', of('category_set', { ...category, entryTargetId: 9 }), '422 target.unknown'],
    ['a = POST /me/grouping-sets', of('brand_set', { networkIds: ['{network}'] }), '201'],
    [lag, null, ''],
    ['GET /feeds/sets', null, '200', { 0: { setId: '{a.id}', changeType: 'added' } }],
  ]);
});

test('a grouping Set is assigned standalone artwork of its own, all of it or none', () => {
  const place = { slot: 'poster', targetKind: 'company', targetId: '{company}' };
  const item = (name: string, more: object = {}) => ({
    ...{ itemId: crypto.randomUUID(), position: 0, ...place, existingAssetId: `{${name}.assetId}` },
    ...{ expectedAssetUpdatedAt: `{${name}.updatedAt}`, ...more },
  });
  const assign = (...items: object[]) => at('brand', { items });
  const upload = 'FILE /me/assets?slot=poster&targetKind=company&targetId={company}';
  const request = 'POST /me/grouping-sets/{brand.id}/assets';
  return run([
    [`a = ${upload}`, '{png}', '201'],
    [`b = ${upload}`, '{png}', '201'],
    ['c = FILE /me/assets?{at}', '{png}', '201'],
    [request, assign(item('a'), item('b', { expectedAssetUpdatedAt: 'old' })), '409 revision.stale'],
    [request, assign(item('a'), item('b')), '409 slot.occupied'],
    [request, assign(item('a'), item('c')), '422 asset.other_place'],
    ['GET /me/sets/{brand.id}', null, '200', { assets: [] }],
    [request, assign(item('a')), '200'],
    [request, assign(item('b')), '409 revision.stale'],
    ['GET /me/sets/{brand.id}', null, '200', { assets: [{ id: '{a.assetId}' }] }],
  ]);
});

test('a relationship is what was last said of it', () => {
  const say = (targetId: number | string, relationship: string | null, is = '200') =>
    ['POST /me/relationships', { targetKind: 'user', targetId, relationship }, is] as const;
  const all = (...has: object[]) => ['GET /me/relationships', null, '200', has] as const;
  const [follows, hides] = ['follow', 'hide'].map((relationship) => ({ targetId: 3, relationship }));
  return run([
    ...[say(2, null), say(3, 'follow'), all({ ...follows }), say('Papiertiger', 'hide'), all({ ...hides })],
    ...[say(4, 'follow'), all({ ...follows, targetId: 4 }, { ...hides })],
    ...[say(1, 'follow', '422 relationship.self'), say('Nobody', 'follow', '404 not_found')],
    ...[say(4, null), all({ ...hides })],
  ]);
});

test('upload destinations are one’s own of a kind and a family, by title or by work, in a limited number', async () => {
  const get = (query: string, has: object) =>
    [`GET /me/upload-destinations?kind=${query}`, null, '200', has] as const;
  await run([
    get('boxset&q=a%20BOX%20of', [{ id: '{box.id}' }]),
    get('boxset&family=game&q=a%20load', [{ id: '{load.id}' }]),
    get('boxset&q=a%20load', []),
    get('talent_set&q=gilligan', expect.arrayContaining([expect.objectContaining({ title: 'A person' })])),
    get('talent_set&q=theirs', []),
    get('media_set&q=a%20person', []),
    ['GET /me/upload-destinations?kind=brand_set', null, '400 invalid_request'],
    ['GET /me/upload-destinations', null, '400 invalid_request'],
  ]);
  for (let n = 0; n < 21; n++) await own.own('POST /me/groups', { kind: 'boxset', title: `Box ${n}` });
  expect((await own.own('GET /me/upload-destinations?kind=boxset')).data).toHaveLength(20);
});
