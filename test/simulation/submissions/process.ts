import type { SendRequest } from '../../../src/catalogue/send.ts';
import { readSubmission } from '../../../src/catalogue/submission.ts';
import type { Deadline } from '../../../src/deadline.ts';
import { ArtworkError } from '../../../src/errors.ts';
import { createMutations, type Mutations } from '../../../src/mutations/mutations.ts';
import type { BlobFiles, MutationPorts, OwnedReads, UploadFiles } from '../../../src/mutations/ports.ts';
import { type Host, type PlantedHost, type Surroundings, startHost } from '../host.ts';
import type { Passage } from '../network.ts';
import type { Actor } from '../scheduler.ts';
import { type KeptCopies, keptFiles } from './kept-copies.ts';
import type { OwnedSet } from './owned-set.ts';
import { contentType, digest, type Folder } from './pictures.ts';
import type { Submissions } from './service.ts';
import type { Sending, Watch } from './watch.ts';

export interface World extends Surroundings {
  readonly service: Submissions;
  readonly set: OwnedSet;
  readonly watch: Watch;
  readonly folder: Folder;
  readonly copies: KeptCopies;
  /** Which processes resume something at this moment. */
  readonly resuming: Set<string>;
  /** Those that people have open. */
  readonly servers: Set<Process>;
}

/** A mistake, planted where the production modules of one process touch the world. */
export interface Planted extends PlantedHost {
  readonly send?: (send: Send) => Send;
  readonly owned?: (owned: OwnedReads) => OwnedReads;
  readonly kept?: (kept: BlobFiles, folder: Folder) => BlobFiles;
}

export type Send = MutationPorts['send'];

/** The production modules, run by one process of the simulated world. */
export interface Process {
  readonly actor: Actor;
  readonly mutations: Mutations;
}

export function startProcess(world: World, name: string, plant: Planted): Process {
  const { scheduler, copies, folder, reach } = world;
  const host = startHost(world, name, {
    ...plant,
    ledger: (ledger) => told(plant.ledger?.(ledger) ?? ledger),
  });
  const { actor } = host;
  const send: Send = (request, deadline) =>
    world.network.send(actor, passageOf(world, actor, request, deadline));
  const kept = keptFiles(copies, folder, scheduler, actor);
  const owned = ownedReads(world, host);
  const mutations = createMutations({
    ...host.ports,
    owned: plant.owned?.(owned) ?? owned,
    catalogue: {
      readEntity: () => Promise.reject(new TypeError('Nobody asks for kinds that are not named.')),
      nameOf: () => null,
    },
    send: plant.send?.(send) ?? send,
    files: openFiles(world, actor),
    blobs: plant.kept?.(kept, folder) ?? kept,
  });
  const process = { actor, mutations: { ...mutations, resume: counted(world, name, mutations.resume) } };
  world.servers.add(process);
  return process;

  /** Tells when a process finds that it has lost what it was working on. */
  function told(ledger: Awaited<ReturnType<MutationPorts['ledger']>>): typeof ledger {
    return {
      ...ledger,
      async isHolder(lease) {
        const holds = await ledger.isHolder(lease);
        if (!holds) reach('somebody else had it: before a request');
        return holds;
      },
    };
  }
}

function counted(
  { resuming, alive, reach }: World,
  name: string,
  resume: Mutations['resume'],
): typeof resume {
  return async (args, call) => {
    if ([...resuming].some((one) => one !== name && alive.has(one))) reach('two resume at once');
    resuming.add(name);
    try {
      return await resume(args, call);
    } finally {
      resuming.delete(name);
    }
  };
}

/** A request, which its process is about to send. */
function passageOf(world: World, actor: Actor, request: SendRequest, { signal }: Deadline): Passage {
  const { watch, service, reach } = world;
  const line = lineOf(world, request);
  let sending: Sending | null = null;
  let asked = 0;
  let lacking: ReadonlySet<string> | null = null;
  return {
    step: line.step,
    gate: request.gate,
    what: `${line.mutation.slice(-2)} ${line.item?.slice(-2) ?? ''}`,
    signal,
    begin() {
      watch.begins({ ...line, process: actor.name });
    },
    leave() {
      sending = watch.leaves(
        { ...line, process: actor.name, account: world.access.accountOf(request.bearer ?? '') },
        line.step === 'admission' ? String(request.body) : null,
      );
      asked = world.scheduler.time;
    },
    arrive() {
      if (sending === null) throw new TypeError('It arrives and has not left.');
      const answer = service.post(request, sending);
      if (answer.issues !== undefined && answer.issues.length > 0) lacking = service.lacks(line.mutation);
      return answer;
    },
    late() {
      const owner = watch.entries.get(line.mutation)?.owner?.instance;
      if (owner !== undefined && owner !== actor.name)
        reach(`late, and another process has begun: ${line.step}`);
    },
    refused() {
      if (sending !== null) sending.open = false;
      if (lacking !== null) watch.looked(actor.name, line.mutation, asked, lacking);
    },
    turnedAway() {
      if (sending !== null) sending.isTurnedAway = true;
    },
    notSent() {
      if (sending !== null) sending.open = false;
    },
  };
}

function lineOf(
  { service }: World,
  { path, query, body }: SendRequest,
): Pick<Sending, 'step' | 'mutation' | 'item'> {
  const [, , , id = '', last] = path.split('/');
  switch (last) {
    case 'assets':
      return { step: 'transfer', mutation: service.byId(id)?.mutation ?? '', item: String(query?.itemId) };
    case 'complete':
      return { step: 'completion', mutation: service.byId(id)?.mutation ?? '', item: null };
    default: {
      const admission: { clientMutationId: string } = JSON.parse(String(body));
      return { step: 'admission', mutation: admission.clientMutationId, item: null };
    }
  }
}

function openFiles({ scheduler, folder }: World, actor: Actor): UploadFiles {
  return {
    open: (path) =>
      scheduler.look(actor, `open ${path}`, () => {
        const bytes = folder.read(path);
        if (bytes === null) throw new ArtworkError('upload_refused', 'There is no such file.');
        return {
          path,
          filename: path.slice(path.lastIndexOf('/') + 1),
          contentType,
          contentLength: bytes.length,
          sha256: digest(bytes),
          warnings: [],
          body: () => Buffer.from(bytes),
          close: async () => {},
        };
      }),
    find: (paths) =>
      scheduler.look(actor, 'find files', () =>
        paths.map((path) => {
          const bytes = folder.read(path);
          return bytes === null ? null : { path, contentLength: bytes.length };
        }),
      ),
  };
}

function ownedReads(world: World, { get, actor }: Host): OwnedReads {
  const { service, set, watch, random, weather, reach } = world;
  const none = (what: string) => Promise.reject(new TypeError(`no ${what} is read for a submission`));
  return {
    async readSet(_, deadline) {
      const record = await get('set', () => set.record(), { signal: deadline?.signal });
      watch.sawSet(actor.name, record.updatedAt === 's1');
      return record;
    },
    readAsset(id, deadline) {
      const read = () => {
        const asset = set.asset(String(id));
        if (asset === null) throw new ArtworkError('not_found', 'There is no such Asset.', { status: 404 });
        return { id: String(id), ...asset };
      };
      return get('asset', read, { signal: deadline?.signal });
    },
    async findSubmission(kind, id, deadline) {
      const asked = world.scheduler.time;
      const read = () => {
        const submission = service.byId(id);
        if (submission === null) return null;
        if (random.chance(weather.faults.readFails)) {
          reach('not found for a moment: status');
          return null;
        }
        const { mutation } = submission;
        const text = JSON.stringify({ data: { submission: service.record(submission) } });
        return { mutation, lacking: service.lacks(mutation), text };
      };
      const how = { signal: deadline?.signal, toStrangers: () => null };
      const seen = await get(`submission ${id}`, read, how);
      if (seen === null) return null;
      reach('asked: status');
      watch.looked(actor.name, seen.mutation, asked, seen.lacking);
      return readSubmission(JSON.parse(seen.text), kind);
    },
    findAssetUpload: async () => null,
    readGroup: () => none('group'),
    findUploadDestinations: () => none('destination'),
    readRelationships: () => none('relationship'),
  };
}
