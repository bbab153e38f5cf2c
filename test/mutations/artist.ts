import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createCatalogue } from '../../src/catalogue/client.ts';
import { namedCatalogue } from '../../src/model/target-names.ts';
import { createOwned } from '../../src/catalogue/owned.ts';
import { reconnectError } from '../../src/connection/failures.ts';
import { type Bearer, connectionId, Secret } from '../../src/connection/row.ts';
import { type Deadline, deadlineIn } from '../../src/deadline.ts';
import { systemClock } from '../../src/clock.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { createLog } from '../../src/log.ts';
import { createBlobFiles } from '../../src/mutations/kept-files.ts';
import { createMutations, type MutationCall, type Mutations } from '../../src/mutations/mutations.ts';
import type { MutationPorts } from '../../src/mutations/ports.ts';
import { createUploadFiles } from '../../src/mutations/before/upload-files.ts';
import { indexOf } from '../support/ledger-index.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { waitingClock } from './waiting-clock.ts';
import { openTestStorage } from '../support/test-store.ts';

export const everyScope = [
  'assets:write',
  'assets:replace',
  'sets:write',
  'groups:write',
  'relationships:write',
];

/** The id of the store that all artists share, as far as their copies know it. */
export const storeOfArtists = 'store-of-artists';

export interface ArtistOptions {
  readonly baseUrl: string;
  /** An access token; asked again when the service no longer takes the last one. Null: there is none. */
  token(): Promise<string | null>;
  readonly scopes?: readonly string[];
  /** Null: the service does not name the account. */
  readonly subject?: string | null;
  /** The id of the sign-in. */
  readonly connection?: string;
  /** Changes what the production modules touch. */
  readonly ports?: (ports: MutationPorts) => MutationPorts;
}

/** Somebody with a stored connection, a ledger of their own and a folder of pictures. */
export interface Artist {
  readonly mutations: Mutations;
  readonly ledger: Ledger;
  readonly home: string;
  /** Puts a file into the folder that is open for uploads, and answers its path. */
  file(bytes: Buffer, name?: string): Promise<string>;
  /** Another process of the same person, on the same store; the first one goes on. */
  another(changes?: Pick<ArtistOptions, 'ports' | 'scopes' | 'subject' | 'connection'>): Promise<Artist>;
  /** A call that waits so long by the clock of this artist, ms. */
  within(milliseconds: number, signal?: AbortSignal): MutationCall;
  leave(): Promise<void>;
}

/** Ten seconds of every wait are one: what is waited for comes as fast as ever. */
const haste = 10;

/** A request may take longer than the call that made it has by its clock, where the machine is busy. */
const patiently = (deadline?: Deadline): Deadline => deadlineIn(100_000, deadline?.signal);

function patientReads(owned: MutationPorts['owned']): MutationPorts['owned'] {
  return {
    readAsset: (id, call) => owned.readAsset(id, patiently(call)),
    readSet: (id, call) => owned.readSet(id, patiently(call)),
    readGroup: (id, call) => owned.readGroup(id, patiently(call)),
    readRelationships: (nextPage, call) => owned.readRelationships(nextPage, patiently(call)),
    findAssetUpload: (id, call) => owned.findAssetUpload(id, patiently(call)),
    findUploadDestinations: (query, call) => owned.findUploadDestinations(query, patiently(call)),
    findSubmission: (kind, id, call) => owned.findSubmission(kind, id, patiently(call)),
  };
}

export async function startArtist(options: ArtistOptions): Promise<Artist> {
  const home = await temporaryFolder();
  const artist = await join(home.path, options);
  return {
    ...artist,
    leave: async () => {
      await artist.leave();
      await home.remove();
    },
  };
}

/** On a data folder that others may use too. */
export async function join(home: string, options: ArtistOptions): Promise<Artist> {
  const { baseUrl, token, scopes = everyScope, subject = 'owner' } = options;
  const folder = path.join(home, 'pictures');
  await mkdir(folder, { recursive: true });
  const storage = await openTestStorage(path.join(home, 'data'), indexOf);
  const ledger = openLedger({ store: storage.atomic, clock: systemClock, ...storage.holders() });
  const log = createLog('error', () => {});
  const connection = connectionId.parse(options.connection ?? '0'.repeat(32));
  let generation = 1;
  const bearerNow = async (): Promise<Bearer> => {
    const value = await token();
    if (value === null) throw reconnectError('refused');
    return { connection, generation, subject, scopes, token: new Secret(value) };
  };
  let bearer: Promise<Bearer> | null = null;
  const connections: MutationPorts['connections'] = {
    account: async () => ({ connection, subject, scopes }),
    bearer: () => {
      bearer ??= bearerNow();
      return bearer;
    },
    onUnauthorized: async (rejected) => {
      if (rejected.generation === generation) {
        generation += 1;
        bearer = bearerNow();
      }
      return bearer ?? bearerNow();
    },
  };
  const locate = async () => ({ baseUrl, assetOrigin: new URL(baseUrl).origin });
  const catalogue = namedCatalogue((onReading) => createCatalogue({ locate, userAgent: 'test', onReading }));
  const owned = createOwned({
    locate,
    userAgent: 'test',
    access: {
      bearer: () => connections.bearer(),
      rejected: (bearer: Bearer) => connections.onUnauthorized(bearer),
    },
  });
  const ports: MutationPorts = {
    service: async () => ({ baseUrl, embedded: true }),
    user: 'default',
    ledger: async () => ledger,
    connections,
    owned: patientReads(owned),
    catalogue,
    send: (request, call) => catalogue.send(request, patiently(call)),
    files: createUploadFiles([folder]),
    blobs: createBlobFiles(path.join(home, 'data'), async () => storeOfArtists),
    clock: waitingClock(haste),
    log,
  };
  const used = options.ports?.(ports) ?? ports;
  const mutations = createMutations(used);
  return {
    mutations,
    ledger,
    home,
    async file(bytes, name = `${randomUUID()}.png`) {
      const file = path.join(folder, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, bytes);
      return file;
    },
    within: (milliseconds, signal) => ({ deadline: deadlineIn(milliseconds, signal, used.clock) }),
    another: (changes = {}) => join(home, { ...options, ...changes }),
    async leave() {
      await mutations.close();
      await Promise.all([catalogue.close(), owned.close()]);
      storage.close();
    },
  };
}
