import type { SendRequest } from '../../src/catalogue/send.ts';
import { type Answer, type Parts, redirect, refusal } from './answers.ts';
import { assets, groupId, OwnedThings } from './owned-set.ts';
import { Submissions } from './submissions.ts';
import type { Sending } from './watch.ts';

interface Upload {
  readonly at: number;
  readonly assetId: string;
  readonly ready: number;
  readonly fails: boolean;
  /** Made elsewhere, with other bytes. */
  readonly foreign: boolean;
}

interface Group {
  readonly id: number;
  readonly title: string;
  /** When a read shows it first, ms. */
  readonly at: number;
}

/** Seconds; some are longer than a timer can be set for. */
const retryAfter = ['3', '3', '3', '3', '3', '90', '3000000', '4294967296'] as const;

/**
 * The catalogue, as far as it matters here: uploads are applied once per identity, edits once per revision, creations
 * each time that they arrive. It does not compare the revision of what an upload replaces.
 */
export class Service {
  readonly owned: OwnedThings;
  readonly submissions: Submissions;
  readonly #parts: Parts;
  readonly #uploads = new Map<string, Upload>();
  readonly #groups: Group[];
  /** Every read sees the service as of then, ms; null: as the weather has it. */
  frozenAt: number | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.owned = new OwnedThings(parts.time);
    this.submissions = new Submissions({ ...parts, owned: this.owned });
    // Groups that were there before, which every search matches.
    this.#groups = Array.from({ length: parts.random.below(4) }, (_, index) => ({
      id: 900 + index,
      title: `other ${index}`,
      at: Number.NEGATIVE_INFINITY,
    }));
  }

  /** What a request does, in whatever mood the service is; `again`: it has arrived before. */
  post(request: SendRequest, sending: Sending, again: boolean): Answer {
    const { random, weather, accounts } = this.#parts;
    if (again) return this.#apply(request, sending);
    if (!accounts.accepts(request.bearer ?? '')) return refusal(401, 'token.invalid');
    if (accounts.accountOf(request.bearer ?? '') !== 'owner') return refusal(403, 'forbidden');
    if (weather.happens('refused')) {
      return random.pick([
        refusal(401, 'token.invalid'),
        refusal(403, 'forbidden'),
        { ...refusal(429, 'slow'), headers: { 'retry-after': random.pick(retryAfter) } },
      ]);
    }
    if (weather.happens('brokenBefore')) return refusal(random.pick([500, 503]), 'unavailable');
    if (weather.happens('redirectedBefore')) return redirect(random.pick([307, 308]));
    const answer = this.#apply(request, sending);
    if (answer.status >= 300) return answer;
    const isFirst = answer.status === 201 || ['metadata', 'group edit'].includes(sending.step);
    return this.#instead(isFirst) ?? answer;
  }

  /** What is answered in the place of a yes; null: the yes. */
  #instead(isFirst: boolean): Answer | null {
    const { random, weather } = this.#parts;
    if (weather.happens('redirectedAfter')) return redirect(random.pick([301, 302, 303]));
    if (weather.happens('turnedAwayAfter')) {
      const turnedAway = random.pick([refusal(401, 'token.invalid'), refusal(429, 'slow')]);
      // What conflicts with itself has arrived just now; what is only repeated brings its receipt.
      return isFirst && random.chance(0.3) ? refusal(409, 'conflict') : turnedAway;
    }
    if (!weather.happens('brokenAfter')) return null;
    return refusal(random.pick([500, 503]), 'set_creation_upload.outcome_unresolved');
  }

  #apply(request: SendRequest, sending: Sending): Answer {
    const { path, query, body } = request;
    const text = Buffer.isBuffer(body) ? body.toString() : '';
    switch (sending.step) {
      case 'upload':
        return this.#upload(sending, query?.previousAssetId);
      case 'group':
        return this.#createGroup(sending, JSON.parse(text).title);
      case 'group edit': {
        const edit: { expectedUpdatedAt?: string; title?: string } = JSON.parse(text);
        const { owned } = this;
        if (path !== `/me/groups/${groupId}`) return refusal(404, 'not_found');
        if (edit.expectedUpdatedAt !== owned.group().updatedAt) return this.#stale(owned.group().updatedAt);
        owned.changeGroup(edit.title);
        this.#parts.watch.applied(sending);
        return { status: 200, body: { data: owned.group() } };
      }
      case 'metadata': {
        const edit: { expectedUpdatedAt?: string; languageCode?: string } = JSON.parse(text);
        const { id } = assets.edited;
        const updatedAt = this.owned.asset(id)?.updatedAt ?? '';
        if (edit.expectedUpdatedAt !== updatedAt) return this.#stale(updatedAt);
        this.owned.changeAsset(id, edit.languageCode);
        this.#parts.watch.applied(sending);
        return { status: 200, body: { data: this.owned.asset(id) } };
      }
      default:
        return this.submissions.post(request, sending);
    }
  }

  #stale(updatedAt: string): Answer {
    const error = { code: 'revision.stale', message: 'stale', details: { updatedAt }, issues: [] };
    return { status: 409, body: { error } };
  }

  #upload(sending: Sending, previousAssetId: unknown): Answer {
    const { random, weather, habits, watch, time } = this.#parts;
    const id = sending.mutation;
    const known = this.#uploads.get(id);
    if (known?.foreign === true) return refusal(409, 'client_mutation.reused');
    if (known !== undefined && habits.takesOnce && !this.#isReady(known, time()))
      return refusal(409, 'client_mutation.in_progress');
    if (known !== undefined) return { status: 200, body: { data: this.#shown(id, known, time()) } };
    const slow = weather.happens('slow');
    const upload = {
      at: time(),
      assetId: this.owned.newAsset(),
      foreign: false,
      ready: time() + (slow ? 1 + random.below(60_000) : 0),
      fails: slow && random.chance(0.3),
    };
    this.#uploads.set(id, upload);
    if (!upload.fails) watch.applied(sending);
    if (!upload.fails && typeof previousAssetId === 'string') this.owned.changeAsset(previousAssetId);
    return { status: 201, body: { data: this.#shown(id, upload, time()) } };
  }

  #createGroup(sending: Sending, title: string): Answer {
    const { watch, time } = this.#parts;
    const group = { id: 1 + this.#groups.length, title, at: time() };
    this.#groups.push(group);
    watch.applied(sending);
    return { status: 201, body: { data: { id: group.id, title, updatedAt: 'g1' } } };
  }

  /** Somebody has uploaded something under this id before, from elsewhere. */
  takeId(mutation: string): void {
    const { random } = this.#parts;
    const ready = random.chance(0.3) ? 1 + random.below(60_000) : 0;
    const before = { at: Number.NEGATIVE_INFINITY, assetId: this.owned.newAsset(), foreign: true };
    this.#uploads.set(mutation, { ...before, ready, fails: random.chance(0.2) });
  }

  /** As of which time a read sees the service, ms. */
  seenAt(): number {
    const { random, weather, habits, time } = this.#parts;
    if (this.frozenAt !== null) return this.frozenAt;
    if (!weather.happens('readLags') || habits.lagMs === 0) return time();
    return habits.lagMs === Number.POSITIVE_INFINITY ? 0 : time() - random.below(habits.lagMs);
  }

  /** Those that a search finds, or all; the oldest come first, and the list may be cut. */
  groups(title: string | undefined, at: number): { readonly id: number; readonly title: string }[] {
    return this.#groups
      .filter((group) => group.at <= at && (group.id >= 900 || title === undefined || group.title === title))
      .sort((one, other) => one.at - other.at)
      .slice(0, this.#parts.habits.mostListed)
      .map(({ id, title: its }) => ({ id, title: its }));
  }

  group(id: string, at: number): Record<string, unknown> | null {
    if (id === String(groupId)) return this.owned.group(at);
    const found = this.#groups.find((group) => String(group.id) === id && group.at <= at);
    return found === undefined ? null : { id: found.id, title: found.title, updatedAt: 'g1' };
  }

  upload(id: string, at: number): Record<string, unknown> | null {
    const found = this.#uploads.get(id);
    return found === undefined || found.at > at ? null : this.#shown(id, found, at);
  }

  /** Whether what is there under an id was made elsewhere. */
  isForeign(mutation: string): boolean {
    return this.#uploads.get(mutation)?.foreign ?? this.submissions.of(mutation)?.foreign ?? false;
  }

  #isReady({ ready }: Upload, at: number): boolean {
    return at >= ready;
  }

  #shown(id: string, upload: Upload, at: number): Record<string, unknown> {
    const done = this.#isReady(upload, at);
    const processingStatus = done ? (upload.fails ? 'failed' : 'succeeded') : 'processing';
    return {
      clientMutationId: id,
      assetId: upload.assetId,
      processingStatus,
      publicationStatus: 'pending',
      ...(processingStatus === 'failed' ? { error: { code: 'asset.broken', message: 'broken' } } : {}),
    };
  }
}
