import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Catalogue, picture, type Row, startCatalogue } from './catalogue.ts';

const lag: Row = ['PASS 60000', null, ''];
let own: Catalogue;
let known: Record<string, unknown>;
beforeAll(async () => {
  own = await startCatalogue({ publicationLagMs: 60_000 });
  known = await own.run(
    [
      ['box = POST /me/groups', { kind: 'boxset', title: 'Mine' }, '201'],
      ['load = POST /me/groups', { kind: 'loadout', title: 'Mine' }, '201'],
      ['theirBox = POST /me/groups BY 1', { kind: 'boxset', title: 'Theirs' }, '201'],
    ],
    {
      ...{ png: await picture(), other: await picture(), wide: await picture(400, 225) },
      ...{ square: await picture(300, 300) },
    },
  );
});
afterAll(() => own.stop());
const run = (rows: readonly Row[], more: Record<string, unknown> = {}) =>
  own.run(rows, { ...known, ...more });

const declared = (file: string) => ({
  ...{
    filename: 'a.png',
    contentType: 'image/png',
    contentLength: `{${file}.length}`,
    selectedSourceFrame: null,
  },
});
const at = (targetKind: string, targetId: string, slot = 'poster') => ({ targetKind, targetId, slot });
const [movie, otherMovie] = [at('movie', '{movie}'), at('movie', '{otherMovie}')];
/** A file of a new Set: its item has the id `{uuid…}` with this ending. */
const item = (ending: string, file: string, place: object = movie, more: object = {}) => ({
  ...{ itemId: `{uuid${ending}}`, position: Number(ending), ...place, ...declared(file), ...more },
});
const creation = (declaredFiles: readonly object[], changes: object = {}) => ({
  ...{ clientMutationId: '{uuid}', setKind: 'media_set', entryTargetKind: 'collection' },
  ...{
    entryTargetId: '{collection}',
    titleBase: 'New',
    description: null,
    languageCode: 'en',
    editionId: null,
  },
  ...{ finalised: true, destination: null, declaredFiles, ...changes },
});
const admitted = (body: object): Row => ['s = POST /me/set-uploads', body, '201'];
const send = (ending: string, body: unknown, is: string, has = {}): Row => [
  ...([`FILE /me/set-uploads/{s.submissionId}/assets?itemId={uuid${ending}}`, body, is, has] as const),
];
const complete = (is: string, has = {}): Row => [
  'c = POST /me/set-uploads/{s.submissionId}/complete',
  {},
  is,
  has,
];
const shows = (has: object): Row => ['GET /me/set-uploads/{s.submissionId}', null, '200', has];

/** Ids that several runs share. */
const fixed = () => ({ uuid: randomUUID(), uuid0: randomUUID(), uuid1: randomUUID() });

test('a new Set is declared, filled and completed, once, and nothing shows before', async () => {
  const inBox = { destination: { id: '{box.id}', kind: 'boxset' } };
  const body = creation([item('0', 'png'), item('1', 'other', otherMovie)], inBox);
  const more = fixed();
  const admission: Row = ['s = POST /me/set-uploads', body, expect.stringMatching(/^20[01]$/)];
  const [{ s }, { s: again }] = await Promise.all([run([admission], more), run([admission], more)]);
  expect(again).toEqual(s);
  const open = { status: 'processing', outcome: null, setId: null };
  const processing = { status: 'processing', assetId: null };
  const set = { title: 'New', languageCode: 'en', finalised: true, group: { id: '{box.id}' } };
  const ofItems = ['{c.items.0.assetId}', '{c.items.1.assetId}'];
  const { c, set: made } = await run(
    [
      complete('409 submission.files_pending'),
      send('0', '{png}', '201'),
      shows({ ...open, items: [processing, { status: 'pending' }] }),
      complete('409 submission.files_pending'),
      send('1', '{other}', '201'),
      shows({ ...open, items: [processing, processing] }),
      complete('200', { outcome: 'succeeded', publicationStatus: 'pending' }),
      complete('200', {
        setId: '{c.setId}',
        items: ofItems.map((assetId) => ({ assetId, status: 'succeeded' })),
      }),
      ['set = GET /me/sets/{c.setId}', null, '200', set],
      ['GET /collection-set/{c.setId}', null, '404 not_found'],
      lag,
      shows({ publicationStatus: 'succeeded' }),
      ['GET /collection-set/{c.setId}', null, '200', { collection: { poster: null } }],
      ['POST /me/set-uploads', { ...body, titleBase: 'Other' }, '409 client_mutation.reused'],
      ['POST /me/set-uploads', body, '200', { submissionId: '{s.submissionId}' }],
    ],
    { ...more, s },
  );
  const { collection } = (await own.send(`GET /collection-set/${Object(c).setId}`)).data;
  const posters = collection.movies.flatMap(({ poster }: { poster: string | null }) => poster ?? []);
  const held = Object(made).assets.map(({ path }: { path: string }) => path);
  expect([posters.length, posters.sort()]).toEqual([2, held.sort()]);
  expect((await own.effects(more.uuid)).filter((effect) => effect === 'set.create')).toHaveLength(1);
});

const failed = { status: 'failed', error: { code: 'asset.file.ratio' } };
test.each([
  ['partial', ['square', 'png'], [failed, { status: 'succeeded' }]],
  ['failed', ['square'], [failed]],
])('a new Set is %s if its files are %j', async (outcome, files, items) => {
  const places = [movie, otherMovie];
  const { c } = await run([
    admitted(creation(files.map((file, index) => item(String(index), file, places[index])))),
    ...files.map((file, index) =>
      send(String(index), `{${file}}`, file === 'png' ? '201' : '422 asset.file.ratio'),
    ),
    complete('200', { outcome, items }),
  ]);
  expect(Object(c).setId === null).toBe(outcome === 'failed');
});

const one = item('0', 'png');
const unlike = (changes: object) => creation([{ ...one, ...changes }]);
const ofWork = (entryTargetKind: string, place: object, file = 'png') =>
  creation([item('0', file, place)], { entryTargetKind, entryTargetId: `{${entryTargetKind}}` });
test.each<[string, object]>([
  ['201', ofWork('show', at('episode', '{episode}', 'titlecard'), 'wide')],
  ['201', ofWork('show', at('season', '{season}'))],
  ['201', ofWork('game', at('game', '{game}', 'cover'))],
  ['422 target.outside_set', ofWork('movie', otherMovie)],
  ['422 slot.unsupported', ofWork('show', at('episode', '{episode}'))],
  ['422 target.unknown', creation([one], { entryTargetId: 9 })],
  ['400 invalid_request', creation([one], { entryTargetKind: 'season' })],
  ['400 invalid_request', creation([])],
  ['400 invalid_request', creation([one], { extra: true })],
  ['400 invalid_request', unlike({ filename: 'a/b.png' })],
  ['413 asset.file.maxSize', unlike({ contentLength: 20_971_521 })],
  ['422 target.outside_set', unlike(at('show', '{show}'))],
  ['422 item.repeated', creation([one, { ...one, slot: 'logo' }])],
  ['422 item.repeated', creation([one, item('1', 'png')])],
  ['422 edition.unknown', creation([one], { editionId: 99 })],
  ['422 destination.incompatible', creation([one], { destination: { id: '{load.id}', kind: 'boxset' } })],
  ['403 resource.not_owned', creation([one], { destination: { id: '{theirBox.id}', kind: 'boxset' } })],
])('an admission is answered %s (row %#)', async (is, body) => {
  await run([['POST /me/set-uploads', body, is]]);
});

test('the file of an item is what was declared, and arrives once', () =>
  run(
    [
      admitted(creation([item('0', 'png')])),
      send('0', '{wide}', '409 file.declaration_conflict'),
      send('0', ['{png}', { 'x-upload-filename': 'b.png' }], '409 file.declaration_conflict'),
      send('0', ['{png}', { 'content-type': 'image/jpeg' }], '409 file.declaration_conflict'),
      send('0', ['{png}', { 'x-upload-sha256': '0'.repeat(64) }], '422 asset.file.digest_mismatch'),
      send('9', '{png}', '404 not_found'),
      ['FILE /me/set-updates/{s.submissionId}/assets?itemId={uuid0}', '{png}', '404 not_found'],
      send('0', '{png}', '201', { items: [{ status: 'processing' }] }),
      send('0', '{png}', '200'),
      send('0', '{reversed}', '409 file.already_received'),
      ['GET /me/set-uploads/{s.submissionId} BY 1', null, '403 resource.not_owned'],
      ['POST /me/set-uploads/{s.submissionId}/complete BY 1', {}, '403 resource.not_owned'],
    ],
    { reversed: Buffer.from(Object(known.png)).reverse() },
  ));

const broken = { code: 'broken', message: 'It broke.' };
test.each([
  ['assets', null, '409 submission.files_pending', 'succeeded'],
  ['assets', broken, '409 submission.files_pending', 'failed'],
  ['complete', null, '200', 'succeeded'],
  ['complete', broken, '200', 'rolled_back'],
])('%s may be processed for a while, with %j in the end', async (what, failure, is, outcome) => {
  const fault = { method: 'POST', path: `/me/set-uploads/*/${what}`, do: 'process' } as const;
  await own.control.fail({ ...fault, milliseconds: 5_000, failure });
  const ended = { status: 'completed', outcome, items: [{ status: outcome, error: failure }] };
  await run([
    admitted(creation([item('0', 'png')])),
    send('0', '{png}', '201'),
    complete(is),
    shows({ status: 'processing', outcome: null, setId: null, items: [{ status: 'processing' }] }),
    ['PASS 5000', null, ''],
    complete('200'),
    shows(ended),
  ]);
});

/** A Set `{c.setId}` of its own for a test, with the posters `{c.items.0}` and `{c.items.1}`; its record is `{set}`. */
const newSet = (): Row[] => [
  admitted(creation([item('0', 'png'), item('1', 'other', otherMovie)])),
  ...[send('0', '{png}', '201'), send('1', '{other}', '201'), complete('200'), lag],
  ['set = GET /me/sets/{c.setId}', null, '200'],
];
const unused = { existingAssetId: null, expectedPreviousAssetId: null, expectedAssetUpdatedAt: null };
const [first, second] = ['c.items.0', 'c.items.1'];
const addition = (ending: string, file: string, place: object) => ({
  ...{ operation: 'add', itemId: `{uuid${ending}}`, position: Number(ending), ...place, ...unused },
  declaredFile: declared(file),
});
const replacement = (ending: string, file: string, asset = first, place: object = movie) => ({
  ...{
    ...addition(ending, file, place),
    operation: 'replace',
    expectedPreviousAssetId: `{${asset}.assetId}`,
  },
  expectedAssetUpdatedAt: `{${asset}.updatedAt}`,
});
const ofAsset = (
  operation: string,
  ending: string,
  asset = first,
  place: object = movie,
  more: object = {},
) => ({
  ...{ operation, itemId: `{uuid${ending}}`, position: Number(ending), ...place, ...unused },
  ...{ declaredFile: null, existingAssetId: `{${asset}.assetId}` },
  ...{ expectedAssetUpdatedAt: `{${asset}.updatedAt}`, ...more },
});
const toFrench = (ending: string, asset = first, place: object = movie) =>
  ofAsset('asset_metadata', ending, asset, place, { languageCode: 'fr' });
const edit = (items: readonly object[], changes: object = {}, id = '{uuidedit}') => ({
  ...{ clientMutationId: id, setId: '{c.setId}', setKind: 'media_set', items },
  ...{ expectedUpdatedAt: '{set.updatedAt}', ...changes },
});
const admits = 'e = POST /me/sets/{c.setId}/updates';
const edits = (ending: string, file: string, is = '201'): Row => [
  ...([`FILE /me/set-updates/{e.submissionId}/assets?itemId={uuid${ending}}`, `{${file}}`, is] as const),
];
const ends = (has: object): Row => ['d = POST /me/set-updates/{e.submissionId}/complete', {}, '200', has];
const whole = (slot: string) => at('collection', '{collection}', slot);

test('a grouped edit adds, replaces, assigns and edits, and shows nothing before it is completed', async () => {
  const items = [
    addition('2', 'wide', whole('backdrop')),
    replacement('3', 'other'),
    ofAsset('assign', '4', 'alone', whole('poster')),
    toFrench('5', second, otherMovie),
  ];
  const before = { title: 'New', description: null, collection: { backdrop: null, poster: null } };
  const shown = { backdrop: expect.any(String), poster: expect.any(String) };
  const metadata = { titleBase: 'Edited', description: 'Now' };
  const { d, held } = await run([
    ...newSet(),
    ['alone = FILE /me/assets?slot=poster&targetKind=collection&targetId={collection}', '{png}', '201'],
    [admits, edit(items, metadata), '201'],
    ...[edits('2', 'wide'), edits('3', 'other'), lag],
    ['GET /collection-set/{c.setId}', null, '200', before],
    ends({ outcome: 'succeeded', setId: '{c.setId}' }),
    lag,
    [
      'GET /collection-set/{c.setId}',
      null,
      '200',
      { title: 'Edited', description: 'Now', collection: shown },
    ],
    ['held = GET /me/sets/{c.setId}', null, '200', { title: 'Edited', updatedAt: '{d.set.updatedAt}' }],
    [`GET /me/assets/{${second}.assetId}`, null, '200', { languageCode: 'fr' }],
    [`GET /me/assets/{${first}.assetId}`, null, '200', { replacedByAssetId: '{d.items.1.assetId}' }],
    ['GET /me/assets/{alone.assetId}', null, '200', { setId: '{c.setId}' }],
  ]);
  const made = Object(d).items.map(({ assetId }: { assetId: string }) => assetId);
  expect(
    Object(held)
      .assets.map(({ id }: { id: string }) => id)
      .sort(),
  ).toEqual(made.sort());
});

test.each([
  ['partial', { titleBase: 'Saved' }, 'Saved'],
  ['failed', {}, 'New'],
])(
  'a grouped edit is %s if its replacement fails beside %j, and keeps the old artwork',
  async (outcome, metadata, title) => {
    const { set, after } = await run([
      ...newSet(),
      [admits, edit([replacement('2', 'square')], metadata), '201'],
      edits('2', 'square', '422 asset.file.ratio'),
      ends({ outcome, items: [failed] }),
      ['after = GET /me/sets/{c.setId}', null, '200', { title }],
      [`GET /me/assets/{${first}.assetId}`, null, '200', { replacedByAssetId: null }],
    ]);
    expect(Object(after).updatedAt === Object(set).updatedAt).toBe(outcome === 'failed');
  },
);

test('a grouped edit checks again at its completion what has changed since', () => {
  const meanwhile = { expectedUpdatedAt: `{${first}.updatedAt}`, languageCode: 'de' };
  const items = [{ status: 'failed', error: { code: 'revision.stale' } }, { status: 'succeeded' }];
  return run([
    ...newSet(),
    [admits, edit([toFrench('2'), toFrench('3', second, otherMovie)], { titleBase: 'Stale' }), '201'],
    [`POST /me/assets/{${first}.assetId}/metadata`, meanwhile, '200'],
    ends({ outcome: 'partial', items }),
    ['GET /me/sets/{c.setId}', null, '200', { title: 'New' }],
    [`GET /me/assets/{${first}.assetId}`, null, '200', { languageCode: 'de' }],
    [`GET /me/assets/{${second}.assetId}`, null, '200', { languageCode: 'fr' }],
  ]);
});

test('a grouped edit is admitted once for each identity, at the revision of the Set', () =>
  run([
    ...newSet(),
    [admits, edit([], { titleBase: 'Once' }), '201'],
    ends({ outcome: 'succeeded' }),
    [admits, edit([], { titleBase: 'Once' }), '200', { submissionId: '{d.submissionId}', outcome: null }],
    [admits, edit([], { titleBase: 'Twice' }), '409 client_mutation.reused'],
    [admits, edit([], { titleBase: 'Once' }, '{uuidother}'), '409 revision.stale'],
  ]));

test('a grouped edit needs the scopes of its items, and is refused for what it can’t do', () => {
  const changed = (asset: string, more: object) => ofAsset('asset_metadata', '2', asset, movie, more);
  const many = Array.from({ length: 301 }, () => toFrench('2'));
  const rows: [string, object[], object?, string?][] = [
    ...([addition('2', 'wide', whole('backdrop')), changed(first, { editionId: null })] as const).flatMap(
      (one): [string, object[], object, string][] => [
        ['403 insufficient_scope', [one], {}, ' BY 0 sets:write assets:replace'],
        ['201', [one], {}, ' BY 0 sets:write assets:write'],
      ],
    ),
    ['403 insufficient_scope', [replacement('2', 'other')], {}, ' BY 0 sets:write assets:write'],
    ['201', [replacement('2', 'other')], {}, ' BY 0 sets:write assets:replace'],
    ['400 invalid_request', [toFrench('2')], { setId: 9 }],
    ['400 invalid_request', many],
    ['422 item.repeated', many.slice(1)],
    ['422 set.kind', [toFrench('2')], { setKind: 'talent_set' }],
    ['409 revision.stale', [toFrench('2')], { expectedUpdatedAt: 'old' }],
    ['409 revision.stale', [changed(first, { expectedAssetUpdatedAt: 'old' })]],
    ['422 asset.other_place', [toFrench('2', second)]],
    ['422 edition.unknown', [changed(first, { editionId: 99 })]],
    ['409 slot.occupied', [addition('2', 'png', movie)]],
    ['422 target.outside_set', [addition('2', 'png', at('show', '{show}'))]],
    ['422 asset.other_place', [replacement('2', 'png', first, otherMovie)]],
    ['409 asset.not_standalone', [ofAsset('assign', '2')]],
    ['400 invalid_request', [{ ...addition('2', 'wide', whole('logo')), existingAssetId: '{uuid}' }]],
  ];
  return run([
    ...newSet(),
    ...rows.map(([is, items, changes, by = ''], row): Row => {
      return [`POST /me/sets/{c.setId}/updates${by}`, edit(items, changes, `{uuidrow${row}}`), is];
    }),
  ]);
});
