import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import type { Next } from '../../../src/errors.ts';
import { entryKey, type LedgerEntry, parseEntry, writeEntry } from '../../../src/ledger/entry.ts';
import { situationOf } from '../../../src/mutations/answer/situation.ts';
import { nextIn } from '../../../src/mutations/answer/table.ts';
import { rehydrateMutation } from '../../../src/mutations/operations/find-operation.ts';
import * as table from '../../../src/mutations/operations/index.ts';
import { identifyProcess } from '../../../src/storage/lease.ts';
import { openStorage, type Storage } from '../../../src/storage/open.ts';
import { mapLimit } from '../../../src/wire/pacing.ts';
import { type Household, startHousehold } from '../../support/account.ts';
import type { StartedServer } from '../../support/client.ts';
import { hurried, registered, startConnected } from '../../support/connected.ts';
import { read, type Told } from '../../support/follower.ts';
import { indexOf } from '../../support/ledger-index.ts';
import { share } from '../../support/share.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { argumentsOf, toolFiles } from '../../support/tool-files.ts';
import { Workshop } from '../../support/workshop.ts';
import { casesOf } from './states.ts';

let household: Household;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: StartedServer;
let storage: Storage;
let workshop: Workshop;

beforeAll(async () => {
  [household, folder] = await Promise.all([startHousehold(), temporaryFolder()]);
  const env = { ...(await registered(household)), ...hurried, ARTWORK_UPLOAD_ROOTS: folder.path };
  server = await startConnected(household, env);
  storage = await openStorage({ home: household.home, keyring: null, indexOf });
  workshop = new Workshop(server, folder.path);
});

afterAll(async () => {
  storage.close();
  await server.stop();
  await household.remove();
  await folder.remove();
});

const nextCall = z.looseObject({
  tool: z.string().optional(),
  arguments: z.record(z.string(), z.unknown()).default({}),
});

async function call(tool: string, args: Record<string, unknown>): Promise<Told & { readonly text: string }> {
  const result = await server.call(tool, args);
  const [text] = result.content;
  return {
    ...read({ tool, arguments: args }, result),
    text: text?.type === 'text' ? text.text : '',
  };
}

const keyOf = (id: string) => entryKey({ service: household.baseUrl, user: 'default' }, id);

/** The entry of a change that was made. */
async function made(operation: string): Promise<LedgerEntry> {
  const tool = toolFiles.find(({ name }) => name === operation);
  if (tool === undefined) throw new Error(`There is no ${operation}.`);
  const args = await argumentsOf(tool, workshop);
  const { clientMutationId } = z.looseObject({ clientMutationId: z.uuid() }).parse(args);
  let told = await call(operation, args);
  while (told.outcome === 'processing') told = await call('get_mutation_status', { clientMutationId });
  expect([operation, told.outcome]).toEqual([operation, 'succeeded']);
  const stored = await storage.atomic.get(keyOf(clientMutationId));
  if (stored === null) throw new Error('The ledger does not know it.');
  return parseEntry(stored.key, stored.value);
}

/** A situation that an operation reaches: its row, an entry that is in it, and what the row says of that. */
interface Reached {
  readonly row: string;
  readonly entry: LedgerEntry;
  readonly next: Next | undefined;
}

/** One for each row of the table that the operation reaches, with and without a process that works on it. */
function reachedBy(template: LedgerEntry): readonly Reached[] {
  const mutation = rehydrateMutation(template);
  if (mutation === null) throw new Error('It can not be read.');
  const found = new Map<string, Reached>();
  for (const { view, look, scope } of casesOf({ ...template, outcome: null, receipt: null }, mutation)) {
    const situation = situationOf({ view, mutation, look, scope });
    const row = `${situation.is}${view.live ? ', live' : ''}`;
    if (!found.has(row)) found.set(row, { row, entry: view.entry, next: nextIn(situation) });
  }
  return [...found.values()];
}

const self = identifyProcess();
let holds = 0;

/** Writes the entry into the ledger of the server, under an id of its own. */
async function plant({ row, entry }: Reached, clientMutationId: string): Promise<void> {
  holds += 1;
  const owner = row.endsWith('live') ? { ...self, hold: holds, beat: 0 } : null;
  await storage.atomic.put(keyOf(clientMutationId), writeEntry({ ...entry, clientMutationId, owner }));
}

it('each row of an entry leads to a call that can be made as it stands, for each operation', async () => {
  const all: Reached[] = [];
  for (const { name } of Object.values(table)) all.push(...reachedBy(await made(name)));
  // Each row with one of its operations, which differ from row to row.
  const first = [...new Set(all.map(({ row }) => row))].flatMap((row, index) => {
    const own = all.filter((one) => one.row === row);
    return own.slice(index % own.length, (index % own.length) + 1);
  });
  const wrong: unknown[] = [];
  /** Makes the call as it stands. */
  const follow = async (about: Reached, next: unknown): Promise<void> => {
    const { tool, arguments: args } = nextCall.parse(next ?? {});
    if (tool === undefined) return;
    const told = await call(tool, args);
    const { category } = told.error ?? {};
    if (category === 'invalid_arguments' || category === 'internal') wrong.push([about, tool, args, told]);
  };
  await mapLimit(share(first, all), 40, async (one) => {
    const { clientMutationId: before } = one.entry;
    const [asked, followed] = [randomUUID(), randomUUID()];
    await plant(one, asked);
    const told = await call('get_mutation_status', { clientMutationId: asked });
    const isUndone = told.outcome === 'refused' || told.outcome === 'not_sent';
    if (told.outcome === undefined || told.text.includes('Nothing was changed.') !== isUndone)
      wrong.push([one, told]);
    await follow(one, told.next);
    // The service was asked by then, and may have told how it ended: here the row's own call is the first one.
    await plant(one, followed);
    await follow(one, JSON.parse(JSON.stringify(one.next ?? {}).replaceAll(before, followed)));
  });
  expect(wrong).toEqual([]);
});
