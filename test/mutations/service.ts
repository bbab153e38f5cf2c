import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

export type Json = Record<string, unknown>;

/** What goes wrong with the next request of this method and path; `*` stands for a segment. */
export interface Fault {
  readonly method: string;
  readonly path: string;
  /** `process`: an upload, a file of a Set or a completion is worked on for so long, or fails. */
  readonly do: 'cut' | 'truncate' | 'answer' | 'process';
  /** Whether the request has its effect first. */
  readonly when?: 'before' | 'after';
  readonly status?: number;
  readonly body?: unknown;
  /** How many requests it spoils, and how many it lets by first. */
  readonly count?: number;
  readonly skip?: number;
  readonly milliseconds?: number;
  readonly failure?: { readonly code: string; readonly message: string };
}

interface Kept {
  readonly readyAt: number;
  readonly failure: Fault['failure'] | null;
}

interface Submission {
  readonly kind: 'creation' | 'edit';
  readonly admission: string;
  readonly body: Json;
  readonly items: (Json & { itemId: string; status: string; readyAt: number })[];
  ended: { readonly outcome: string; readonly readyAt: number; readonly setId: number } | null;
}

const kinds: Readonly<Record<string, string>> = {
  ...{ movies: 'movie', shows: 'show', seasons: 'season', episodes: 'episode', people: 'person' },
  ...{ networks: 'network', companies: 'company', collections: 'collection', games: 'game' },
};
/** Works from this number on are not there. */
export const noWork = 900_000_000;

class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Json;

  constructor(status: number, code: string, details: Json = {}) {
    super(code);
    [this.status, this.code, this.details] = [status, code, details];
  }
}

/**
 * The protected part of a service for one account, in memory, as the interface document and `docs/interface.md` say: it
 * compares revisions, applies an identity once, and fails where a test wants it to. Every work is there.
 */
export class OwnService {
  readonly assets = new Map<string, Json>();
  readonly sets = new Map<number, Json & { assets: Json[] }>();
  readonly groups = new Map<number, Json>();
  readonly relationships: Json[] = [];
  /** The mutations that were applied, each as often as it was. */
  readonly effects: string[] = [];
  readonly requests: { readonly method: string; readonly path: string }[] = [];
  faults: { fault: Fault; left: number; skip: number }[] = [];
  readonly #uploads = new Map<string, Json & Kept>();
  readonly #submissions = new Map<string, Submission>();
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  #count = 100;
  #ahead = 0;
  baseUrl = '';

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('It has no port.');
    this.baseUrl = `http://127.0.0.1:${address.port}/v1`;
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** Moves its clock ahead. */
  pass(milliseconds: number): void {
    this.#ahead += milliseconds;
  }

  revision(): string {
    return `2030-01-01T00:00:00.${String(this.#number()).padStart(6, '0')}Z`;
  }

  plantSet(kind: string, target: Json): number {
    const id = this.#number();
    const title = `Set ${id}`;
    this.sets.set(id, {
      id,
      kind,
      title,
      titleBase: title,
      target,
      languageCode: 'en',
      updatedAt: this.revision(),
      assets: [],
    });
    return id;
  }

  plantGroup(title: string): number {
    const id = this.#number();
    this.groups.set(id, { id, kind: 'boxset', title, sets: [], poster: null, updatedAt: this.revision() });
    return id;
  }

  plantAsset(target: Json, slot: string, more: Json = {}): Json & { id: string; updatedAt: string } {
    const asset = {
      id: randomUUID(),
      slot,
      target,
      setId: null,
      frames: 1,
      updatedAt: this.revision(),
      ...more,
    };
    this.assets.set(asset.id, asset);
    return asset;
  }

  #number(): number {
    this.#count += 1;
    return this.#count;
  }

  #now(): number {
    return Date.now() + this.#ahead;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://service');
    const path = url.pathname.replace(/^\/v1/, '');
    const method = request.method ?? '';
    let bytes: Buffer;
    try {
      bytes = await buffer(request);
    } catch {
      return;
    }
    this.requests.push({ method, path });
    const fault = this.#faultOf(method, path);
    const say = (status: number, body: unknown, half = false): void => {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      response.writeHead(status, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      });
      if (!half) return void response.end(text);
      response.write(text.slice(0, text.length / 2), () => response.destroy());
    };
    if (fault?.do === 'cut' && fault.when === 'before') return void response.destroy();
    if (fault?.do === 'answer' && fault.when === 'before') return say(fault.status ?? 500, fault.body);
    let answer: { status: number; body: unknown };
    try {
      const data =
        method === 'GET' ? this.#read(path, url.searchParams) : this.#post(path, url, request, bytes, fault);
      answer = { status: method === 'GET' ? 200 : 201, body: { data } };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { status, code, details } = error;
      answer = { status, body: { error: { code, message: `It says ${code}.`, details, issues: [] } } };
    }
    if (fault?.do === 'cut') return void response.destroy();
    if (fault?.do === 'answer') return say(fault.status ?? 500, fault.body);
    say(answer.status, answer.body, fault?.do === 'truncate');
  }

  #faultOf(method: string, path: string): Fault | null {
    const fits = this.faults.filter(({ fault, left }) => {
      const pattern = new RegExp(`^${fault.path.replaceAll('*', '[^/]+')}$`);
      return left > 0 && fault.method === method && pattern.test(path);
    });
    const found = fits.find((one) => one.skip === 0);
    for (const one of fits) if (one !== found && one.skip > 0) one.skip -= 1;
    if (found === undefined) return null;
    found.left -= 1;
    return found.fault;
  }

  #read(path: string, query: URLSearchParams): unknown {
    const [, first, name, id = '', rest] = path.split('/');
    const kind = kinds[first ?? ''];
    if (kind !== undefined) return this.#work(kind, Number(name));
    if (first !== 'me') throw new Refusal(404, 'not_found');
    switch (name) {
      case 'assets':
        return this.#found(this.assets.get(id));
      case 'sets':
        return this.#found(this.sets.get(Number(id)));
      case 'groups':
        return this.#found(this.groups.get(Number(id)));
      case 'relationships':
        return this.relationships;
      case 'asset-uploads':
        return this.#statusOf(this.#found(this.#uploads.get(id)));
      case 'upload-destinations':
        return this.#destinations(query.get('kind') ?? '', query.get('q') ?? '');
      case 'set-uploads':
      case 'set-updates':
        if (rest === undefined) return this.#recordOf(this.#found(this.#submissions.get(id)), id);
    }
    throw new Refusal(404, 'not_found');
  }

  #found<Value>(value: Value | undefined): Value {
    if (value === undefined) throw new Refusal(404, 'resource.not_found');
    return value;
  }

  #work(kind: string, id: number): Json {
    if (!(id < noWork)) throw new Refusal(404, 'not_found');
    const of = (kind: string, id: number) => ({ id, kind, title: `The ${kind} ${id}` });
    // An episode's show is told by its number: 7012 is of show 7.
    const show = of('show', Math.floor(id / 1000));
    return { ...of(kind, id), ...(kind === 'episode' ? { show, episodeNumber: id % 1000 } : {}) };
  }

  #destinations(kind: string, q: string): Json[] {
    const all: Json[] =
      kind === 'boxset'
        ? [...this.groups.values()]
        : [...this.sets.values()].filter((set) => set.kind === kind);
    return all.filter(({ title }) => String(title).includes(q)).map(({ id, title }) => ({ id, kind, title }));
  }

  #post(path: string, url: URL, request: IncomingMessage, bytes: Buffer, fault: Fault | null): unknown {
    const [, , name, id = '', verb] = path.split('/');
    const query = Object.fromEntries(url.searchParams);
    const isFile = /\/(assets|poster)$/.test(path) && name !== 'grouping-sets';
    if (isFile && (name === 'set-uploads' || name === 'set-updates'))
      return this.#receive(this.#found(this.#submissions.get(id)), id, query, bytes, fault);
    if (isFile) return this.#upload(path, query, request, bytes, fault);
    const body: Json = JSON.parse(bytes.toString());
    const applied = (): void => void this.effects.push(String(body.clientMutationId ?? path));
    switch (`${name} ${verb ?? (id === '' ? '' : 'id')}`.trim()) {
      case 'assets metadata':
      case 'assets preview': {
        const asset = this.#guarded(this.assets.get(id), body);
        const { languageCode, editionId, selectedSourceFrame } = body;
        Object.assign(asset, JSON.parse(JSON.stringify({ languageCode, editionId, selectedSourceFrame })));
        asset.updatedAt = this.revision();
        applied();
        return { assetId: id, updatedAt: asset.updatedAt };
      }
      case 'groups': {
        const groupId = this.plantGroup(String(body.title));
        Object.assign(this.#found(this.groups.get(groupId)), {
          kind: body.kind,
          description: body.description,
        });
        applied();
        return { groupId, updatedAt: this.groups.get(groupId)?.updatedAt };
      }
      case 'groups id': {
        const group = this.#guarded(this.groups.get(Number(id)), body);
        const { clientMutationId: _, expectedUpdatedAt: __, setIds, ...changes } = body;
        Object.assign(group, changes, { updatedAt: this.revision() });
        if (Array.isArray(setIds)) group.sets = setIds.map((setId) => ({ id: setId, title: `Set ${setId}` }));
        applied();
        return { groupId: Number(id), updatedAt: group.updatedAt };
      }
      case 'grouping-sets': {
        const target = { kind: body.entryTargetKind ?? 'network', id: body.entryTargetId ?? 1 };
        const setId = this.plantSet(String(body.setKind), target);
        const { titleBase, description } = body;
        Object.assign(this.#found(this.sets.get(setId)), { title: titleBase, titleBase, description });
        applied();
        return { setId, updatedAt: this.sets.get(setId)?.updatedAt };
      }
      case 'grouping-sets assets': {
        const set = this.#guarded(this.sets.get(Number(id)), body);
        for (const item of itemsOf(body)) this.#apply(Number(id), { ...item, operation: 'assign' });
        applied();
        return { setId: Number(id), updatedAt: set.updatedAt };
      }
      case 'relationships': {
        const { targetKind, targetId, relationship } = body;
        const at = this.relationships.findIndex(
          (one) => one.targetKind === targetKind && one.targetId === targetId,
        );
        if (at >= 0) this.relationships.splice(at, 1);
        const made = { targetKind, targetId, relationship, updatedAt: this.revision() };
        if (relationship !== null) this.relationships.push(made);
        applied();
        return made;
      }
      case 'set-uploads':
      case 'sets updates':
        return this.#admit(name === 'set-uploads' ? 'creation' : 'edit', body, bytes.toString());
      case 'set-uploads complete':
      case 'set-updates complete':
        return this.#complete(this.#found(this.#submissions.get(id)), id, fault);
    }
    throw new Refusal(404, 'not_found');
  }

  #guarded<Value extends Json>(record: Value | undefined, { expectedUpdatedAt }: Json): Value {
    const found = this.#found(record);
    if (found.replacedByAssetId) throw new Refusal(409, 'asset.replaced');
    if (found.updatedAt !== expectedUpdatedAt) throw new Refusal(409, 'revision.stale');
    return found;
  }

  #kept(fault: Fault | null): Kept {
    const { milliseconds = 0, failure = null } = fault?.do === 'process' ? fault : {};
    return { readyAt: this.#now() + milliseconds, failure };
  }

  #upload(path: string, query: Json, { headers }: IncomingMessage, bytes: Buffer, fault: Fault | null): Json {
    const mutation = String(query.clientMutationId);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    if (headers['x-upload-sha256'] !== sha256) throw new Refusal(422, 'asset.file.digest');
    const same = JSON.stringify([path, query, sha256]);
    const known = this.#uploads.get(mutation);
    if (known !== undefined && known.same !== same) throw new Refusal(409, 'client_mutation.reused');
    if (known !== undefined) return this.#statusOf(known);
    const [, , of, id] = path.split('/');
    const { slot, targetKind, previousAssetId } = query;
    const set = of === 'sets' ? this.#found(this.sets.get(Number(id))) : null;
    const group = of === 'groups' ? this.#found(this.groups.get(Number(id))) : null;
    const target =
      targetKind === undefined ? (set?.target ?? null) : { kind: targetKind, id: Number(query.targetId) };
    const previous =
      previousAssetId === undefined ? undefined : this.#found(this.assets.get(String(previousAssetId)));
    if (previous?.replacedByAssetId) throw new Refusal(409, 'asset.replaced');
    const held = set === null ? group?.poster : heldIn(set, { target, slot });
    if (previous === undefined && held) throw new Refusal(409, 'slot.occupied', { assetId: Object(held).id });
    const kept = this.#kept(fault);
    const asset = this.plantAsset(Object(target), String(slot), { setId: set?.id ?? null });
    if (previous !== undefined)
      Object.assign(previous, { replacedByAssetId: asset.id, updatedAt: this.revision() });
    if (set !== null) set.assets.push(asset);
    for (const holder of [set, group]) if (holder !== null) holder.updatedAt = this.revision();
    if (group !== null) group.poster = asset;
    const upload = { mutation, same, asset, ...kept };
    this.#uploads.set(mutation, upload);
    this.effects.push(mutation);
    return this.#statusOf(upload);
  }

  #statusOf({ mutation, asset, readyAt, failure }: Json & Kept): Json {
    const isReady = readyAt <= this.#now();
    const processingStatus = !isReady ? 'processing' : failure === null ? 'succeeded' : 'failed';
    const { id, updatedAt } = Object(asset);
    return {
      ...{ clientMutationId: mutation, processingStatus, publicationStatus: 'succeeded', retryable: false },
      ...(processingStatus === 'succeeded' ? { assetId: id, updatedAt } : {}),
      ...(processingStatus === 'failed' ? { error: failure } : {}),
    };
  }

  #admit(kind: Submission['kind'], body: Json, admission: string): Json {
    const mutation = String(body.clientMutationId);
    const known = [...this.#submissions].find(([, one]) => one.body.clientMutationId === mutation);
    if (known !== undefined && known[1].admission !== admission)
      throw new Refusal(409, 'client_mutation.reused');
    if (known !== undefined) return this.#recordOf(known[1], known[0]);
    if (kind === 'edit') {
      const set = this.#guarded(this.sets.get(Number(body.setId)), body);
      for (const item of itemsOf(body)) this.#objectTo(set, item);
    }
    const items = itemsOf(body).map((item) => ({
      ...{ ...item, itemId: String(item.itemId), readyAt: 0 },
      status: kind === 'creation' || item.declaredFile ? 'pending' : 'processing',
    }));
    const id = randomUUID();
    const submission: Submission = { kind, admission, body, items, ended: null };
    this.#submissions.set(id, submission);
    this.effects.push(`${mutation} admission`);
    return this.#recordOf(submission, id);
  }

  #objectTo(set: Json & { assets: Json[] }, item: Json): void {
    const id = item.expectedPreviousAssetId ?? item.existingAssetId;
    if (id) this.#guarded(this.assets.get(String(id)), { expectedUpdatedAt: item.expectedAssetUpdatedAt });
    const held = heldIn(set, { target: { kind: item.targetKind, id: item.targetId }, slot: item.slot });
    if (!item.expectedPreviousAssetId && item.operation !== 'asset_metadata' && held)
      throw new Refusal(409, 'slot.occupied', { assetId: held.id });
  }

  #receive(submission: Submission, id: string, query: Json, bytes: Buffer, fault: Fault | null): Json {
    const item = submission.items.find(({ itemId }) => itemId === query.itemId);
    const file: Json = Object(item?.declaredFile ?? item);
    if (item === undefined || bytes.length !== file.contentLength)
      throw new Refusal(409, 'file.declaration_conflict');
    if (item.status !== 'pending') return this.#recordOf(submission, id);
    const { readyAt, failure } = this.#kept(fault);
    Object.assign(item, {
      status: failure === null ? 'processing' : 'failed',
      readyAt,
      error: failure ?? undefined,
    });
    this.effects.push(`${submission.body.clientMutationId} ${item.itemId}`);
    return this.#recordOf(submission, id);
  }

  #complete(submission: Submission, id: string, fault: Fault | null): Json {
    const { items, kind, body } = submission;
    if (submission.ended !== null) return this.#recordOf(submission, id);
    if (items.some(({ status, readyAt }) => status === 'pending' || readyAt > this.#now()))
      throw new Refusal(409, 'submission.files_pending');
    const { readyAt, failure } = this.#kept(fault);
    const good = items.filter(({ status }) => status === 'processing');
    const all = good.length === items.length ? 'succeeded' : good.length > 0 ? 'partial' : 'failed';
    const outcome = failure !== null ? 'rolled_back' : kind === 'edit' && all === 'failed' ? 'partial' : all;
    const target = { kind: body.entryTargetKind, id: body.entryTargetId };
    const isMade = outcome === 'succeeded' || outcome === 'partial';
    const setId =
      kind === 'edit' ? Number(body.setId) : isMade ? this.plantSet(`${target.kind}_set`, target) : 0;
    if (outcome === 'rolled_back') for (const item of good) item.status = 'rolled_back';
    else if (isMade) {
      const set = this.#found(this.sets.get(setId));
      const { titleBase, description } = body;
      if (titleBase !== undefined) Object.assign(set, { titleBase, title: titleBase });
      if (description !== undefined) Object.assign(set, { description });
      for (const item of good)
        Object.assign(item, { status: 'succeeded', assetId: this.#apply(setId, item) });
      set.updatedAt = this.revision();
    }
    submission.ended = { outcome, readyAt, setId };
    this.effects.push(`${body.clientMutationId} completion`);
    return this.#recordOf(submission, id);
  }

  /** Puts an item into a Set. @returns the Asset's id */
  #apply(setId: number, item: Json): string {
    const set = this.#found(this.sets.get(setId));
    const target = { kind: item.targetKind, id: item.targetId };
    const { existingAssetId, expectedPreviousAssetId, languageCode } = item;
    const asset = existingAssetId
      ? this.#found(this.assets.get(String(existingAssetId)))
      : this.plantAsset(target, String(item.slot), { setId });
    const previous = expectedPreviousAssetId ? this.assets.get(String(expectedPreviousAssetId)) : undefined;
    if (previous !== undefined)
      Object.assign(previous, { replacedByAssetId: asset.id, updatedAt: this.revision() });
    if (languageCode !== undefined) asset.languageCode = languageCode;
    Object.assign(asset, { setId, updatedAt: this.revision() });
    set.assets = [...set.assets.filter(({ id }) => id !== asset.id && id !== previous?.id), asset];
    set.updatedAt = this.revision();
    return String(asset.id);
  }

  #recordOf({ items, ended, body }: Submission, submissionId: string): Json {
    const isTold = ended !== null && ended.readyAt <= this.#now();
    const shown = items.map(({ itemId, status, assetId, error }) => ({ itemId, status, assetId, error }));
    const set = isTold && ended.setId > 0 ? this.sets.get(ended.setId) : undefined;
    return {
      submission: {
        ...{ submissionId, clientMutationId: body.clientMutationId, items: shown },
        ...(isTold ? { outcome: ended.outcome, publicationStatus: 'succeeded' } : { status: 'processing' }),
        ...(set === undefined ? {} : { setId: set.id, updatedAt: set.updatedAt }),
      },
    };
  }
}

function itemsOf({ declaredFiles, items }: Json): Json[] {
  const list = declaredFiles ?? items;
  return Array.isArray(list) ? list : [];
}

function heldIn({ assets }: { readonly assets: Json[] }, { target, slot }: Json): Json | undefined {
  const same = JSON.stringify([Object(target).kind, Object(target).id, slot]);
  return assets.find(
    (one) => JSON.stringify([Object(one.target).kind, Object(one.target).id, one.slot]) === same,
  );
}
