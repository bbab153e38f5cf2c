import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundling } from '../../../scripts/bundling.mjs';
import { groups } from '../../sandbox/me-works.ts';
import { oncePerRun } from '../../support/once-per-run.ts';
import { type Artist, everyScope, type startArtist as StartArtist } from '../artist.ts';
import { startStudio, type Studio } from '../studio.ts';
import type { told as Told } from '../told.ts';
import { revisionOf } from '../wishes.ts';
import type { renameGroup } from './rename-group.ts';

// A new operation is one file, and one line in the table: the program is built with both, and nothing else in it is
// changed.
const line = `export { renameGroup } from '${path.join(import.meta.dirname, 'rename-group.ts')}';`;

let studio: Studio;
let artist: Artist;
let told: typeof Told;
beforeAll(async () => {
  const folder = await oncePerRun('one more operation', (outdir) => buildWith(line, outdir));
  const load = (name: string) => import(pathToFileURL(path.join(folder, `${name}.js`)).href);
  ({ told } = await load('told'));
  const { startArtist }: { startArtist: typeof StartArtist } = await load('artist');
  studio = await startStudio();
  artist = await startArtist({
    baseUrl: studio.catalogue.baseUrl,
    token: () => studio.catalogue.token(1, everyScope.join(' ')),
    subject: '1',
  });
});
afterAll(async () => {
  await artist.leave();
  await studio.close();
});

it('is shown, sent, listed, resumed and looked up by what its own file says', async () => {
  const call = {
    clientMutationId: randomUUID(),
    expectedUpdatedAt: await revision(),
    groupId: groups.empty,
    title: 'Renamed',
  };
  const { clientMutationId } = call;
  const make = (more: object = {}) => told(perform(artist, { ...call, ...more }));
  const at = `/me/groups/${groups.empty}`;
  await studio.forget();

  expect(await make({ dryRun: true })).toMatchObject({
    outcome: 'dry_run',
    result: { requests: [{ path: at, body: { title: 'Renamed' } }] },
  });
  expect(await make({ title: '' })).toMatchObject({ category: 'invalid_arguments' });
  expect(await studio.posts(at)).toBe(0);

  // Turned away, so that it is in the ledger and certain not to have been applied.
  const body = { error: { code: 'rate_limited', message: 'Later', details: {}, issues: [] } };
  await studio.queue({ method: 'POST', path: at, do: 'answer', when: 'before', status: 429, body });
  expect(await make()).toMatchObject({ outcome: 'refused', next: { tool: 'rename_group', arguments: call } });
  expect((await artist.mutations.list({ limit: 1 })).mutations).toMatchObject([
    { clientMutationId, operation: 'rename_group', target: { newTitle: 'Renamed' } },
  ]);

  // Another process finds it in the ledger, and knows it by its name there.
  const another = await artist.another();
  const { expectedUpdatedAt } = call;
  expect(await told(another.mutations.resume({ clientMutationId, expectedUpdatedAt }))).toMatchObject({
    outcome: 'succeeded',
    result: { operation: 'rename_group', id: { kind: 'group', id: groups.empty, title: 'Renamed' } },
  });
  expect(await told(another.mutations.status(clientMutationId))).toMatchObject({ outcome: 'succeeded' });
  await another.leave();
  expect(await studio.applied(clientMutationId)).toBe(1);
  expect(await make()).toMatchObject({ outcome: 'succeeded' });
  expect(await studio.posts(at)).toBe(2);
});

it('is found by its effect where its answer was lost', async () => {
  const clientMutationId = randomUUID();
  const call = {
    clientMutationId,
    expectedUpdatedAt: await revision(),
    groupId: groups.empty,
    title: 'Lost',
  };
  const at = `/me/groups/${groups.empty}`;
  await studio.queue({ method: 'POST', path: at, do: 'cut', when: 'after' });
  expect(await told(perform(artist, call))).toMatchObject({ outcome: 'unresolved' });
  expect(await told(artist.mutations.status(clientMutationId))).toMatchObject({
    outcome: 'succeeded',
    result: { evidence: { by: 'read_back' } },
  });
});

async function buildWith(added: string, outdir: string): Promise<void> {
  const folder = path.dirname(import.meta.dirname);
  await build({
    entryPoints: { artist: path.join(folder, 'artist.ts'), told: path.join(folder, 'told.ts') },
    outdir,
    ...bundling,
    external: [...bundling.external],
    plugins: [
      {
        name: 'one more operation',
        setup({ onLoad }) {
          onLoad({ filter: /mutations[\\/]operations[\\/]index\.ts$/ }, async ({ path: table }) => ({
            contents: `${await readFile(table, 'utf8')}${added}\n`,
            loader: 'ts',
          }));
        },
      },
    ],
  });
}

async function revision(): Promise<string> {
  const token = await studio.catalogue.token(1);
  return revisionOf({ studio, artist, token }, `/me/groups/${groups.empty}`);
}

/** The types of the program know the operations of its own table alone. */
function perform({ mutations }: Artist, call: object) {
  const name: typeof renameGroup.name = 'rename_group';
  return Reflect.apply(mutations.perform, mutations, [name, call]);
}
