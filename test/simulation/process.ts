import { entityRecord } from '../../src/catalogue/records/kinds.ts';
import { readUploadStatus } from '../../src/catalogue/records/owned.ts';
import type { SendOutcome, SendRequest } from '../../src/catalogue/send.ts';
import { ArtworkError } from '../../src/errors.ts';
import { createMutations, type Mutations } from '../../src/mutations/mutations.ts';
import type { MutationPorts, OwnedReads } from '../../src/mutations/ports.ts';
import { type Host, type PlantedHost, type Surroundings, startHost } from './host.ts';
import type { Actor } from './scheduler.ts';
import { Service } from './service.ts';
import type { Departure, Watch } from './watch.ts';

export interface World extends Surroundings {
  readonly service: Service;
  readonly watch: Watch;
}

/** A mistake, planted where the production modules of one process touch the world. */
export interface Planted extends PlantedHost {
  readonly send?: (
    send: (request: SendRequest) => Promise<SendOutcome>,
  ) => (request: SendRequest) => Promise<SendOutcome>;
  readonly owned?: (owned: OwnedReads) => OwnedReads;
}

/** The production modules, run by one process of the simulated world. */
export interface Process {
  readonly actor: Actor;
  /** Whether the call may send again what nobody knows the fate of. */
  call(mayRepeat: boolean): Mutations;
}

export function startProcess(world: World, name: string, plant: Planted): Process {
  const { disk, network, service, watch } = world;
  const host = startHost(world, name, plant);
  const { actor } = host;
  const reads = ownedReads(world, host);
  const owned = plant.owned?.(reads) ?? reads;
  const isInLedger = (mutation: string) =>
    [...disk.entries.keys()].some((each) => each.startsWith('ledger/') && each.endsWith(mutation));

  // What a call prepares is known to the next one, as in a program that runs on.
  const made = new Map<boolean, Mutations>();
  return {
    actor,
    call(mayRepeat) {
      const before = made.get(mayRepeat);
      if (before !== undefined) return before;
      const send = async (request: SendRequest): Promise<SendOutcome> => {
        const mutation = Service.mutationOf(request);
        let departure: Departure = {
          mutation,
          process: name,
          step: 0,
          open: false,
          account: '',
          isTurnedAway: false,
        };
        const { previousAssetId } = request.query ?? {};
        const replaces = typeof previousAssetId === 'string' ? previousAssetId : null;
        return network.send(actor, {
          step: request.path,
          what: mutation.slice(-2),
          gate: request.gate,
          leave: () => {
            const account = world.access.accountOf(request.bearer ?? '');
            const departing = { mayRepeat, isInLedger: isInLedger(mutation), replaces, account };
            departure = watch.departs(mutation, name, departing);
          },
          arrive: () => service.post(request, departure),
          refused: () => {
            departure.open = false;
          },
          turnedAway: () => {
            departure.isTurnedAway = true;
          },
        });
      };
      const mutations = createMutations({
        ...host.ports,
        owned,
        catalogue: {
          // Every target that an upload names is there.
          readEntity: async (kind, id) => entityRecord.parse({ kind, id: Number(id) }),
          nameOf: () => null,
        },
        send: plant.send?.(send) ?? send,
        files: {
          find: () => Promise.reject(new TypeError('nothing was planned here')),
          open: async () => ({
            path: '/art/poster.png',
            filename: 'poster.png',
            contentType: 'image/png',
            contentLength: 4,
            sha256: 'ab'.repeat(32),
            warnings: [],
            body: () => Buffer.from('file'),
            close: async () => {},
          }),
        },
        blobs: nothingKept,
      });
      made.set(mayRepeat, mutations);
      return mutations;
    },
  };
}

/** A single mutation keeps no files. */
const nothingKept: MutationPorts['blobs'] = {
  machine: 'm',
  newOwner: () => 'nobody',
  requireRoom: async () => {},
  keep: async () => {},
  sync: async () => {},
  missing: async (_, files) => files,
  open: () => Promise.reject(new TypeError('nothing is kept')),
  release: async () => {},
  sweep: async () => {},
};

function ownedReads({ service, watch }: World, { get, actor }: Host): OwnedReads {
  return {
    readAsset: async (id) => {
      const asset = await get('asset', () => service.asset(String(id)));
      watch.looked(actor.name, String(id), asset.updatedAt === 'r1');
      return { ...asset };
    },
    readGroup: (id) =>
      get('group', () => {
        const group = service.group(String(id));
        if (group === null) throw new ArtworkError('not_found', 'There is no such group.', { status: 404 });
        return { id: '', ...group };
      }),
    findUploadDestinations: ({ q }) => get('groups', () => service.groups(q), { toStrangers: () => [] }),
    findAssetUpload: (id) => {
      const read = () => {
        const upload = service.upload(id);
        return upload === null ? null : readUploadStatus({ data: upload });
      };
      return get(`upload ${id.slice(-2)}`, read, { toStrangers: () => null });
    },
    readSet: () => Promise.reject(new ArtworkError('not_found', 'There are no Sets here.')),
    findSubmission: async () => null,
    readRelationships: async () => ({ items: [], nextPage: null }),
  };
}
