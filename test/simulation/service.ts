import type { SendRequest } from '../../src/catalogue/send.ts';
import type { Access } from './access.ts';
import { type Answer, redirect, redirects, refusal } from './answers.ts';
import type { Weather } from './faults.ts';
import type { Random } from './random.ts';
import type { Departure, Watch } from './watch.ts';

interface Asset {
  revision: number;
  languageCode: string;
}

interface Upload {
  readonly assetId: string;
  readonly ready: number;
  readonly fails: boolean;
  /** Made elsewhere, with other bytes. */
  readonly foreign: boolean;
}

/** How much later than it is made a list may show a group, ms. */
const latestListing = 7_000;

const idOf = (number: number) => `0b0b0b0b-0000-4000-8000-${String(number).padStart(12, '0')}`;
export const assetId = idOf(1);

/** The Asset that the numbered wish replaces, which is no other wish's. */
export function replacedId(index: number): string {
  return idOf(2 + index);
}

/**
 * The catalogue, as far as it matters here: uploads are applied once per identity, metadata edits once per
 * revision, and creations each time that they arrive. It does not compare the revision of what an upload replaces.
 */
export class Service {
  readonly #weather: Weather;
  readonly #access: Access;
  readonly #random: Random;
  readonly #watch: Watch;
  readonly #time: () => number;
  readonly #assets = new Map<string, Asset>();
  readonly #groups: { readonly id: number; readonly title: string; readonly listedAt: number }[] = [];
  /** Groups that were there before, which every search matches. */
  readonly #others: { readonly id: number; readonly title: string }[];
  /** How many destinations a list has at most. */
  readonly #mostListed: number;
  readonly #uploads = new Map<string, Upload>();

  readonly #reach: (what: string) => void;

  constructor(
    random: Random,
    watch: Watch,
    time: () => number,
    weather: Weather,
    access: Access,
    reach: (what: string) => void,
  ) {
    this.#reach = reach;
    this.#random = random;
    this.#watch = watch;
    this.#time = time;
    this.#weather = weather;
    this.#access = access;
    this.#others = Array.from({ length: random.below(4) }, (_, index) => ({
      id: 900 + index,
      title: `other ${index}`,
    }));
    this.#mostListed = random.chance(0.5) ? 1 + random.below(3) : 50;
  }

  /** The identity of the mutation that a request makes: what is sent is different for each. */
  static mutationOf({ query, body }: SendRequest): string {
    if (typeof query?.clientMutationId === 'string') return query.clientMutationId;
    const sent: { title?: string; languageCode?: string } = JSON.parse(String(body));
    return sent.title ?? sent.languageCode ?? '';
  }

  post(request: SendRequest, departure: Departure): Answer {
    const { faults } = this.#weather;
    if (!this.#access.accepts(request.bearer ?? '')) return refusal(401, 'token.invalid');
    if (this.#access.accountOf(request.bearer ?? '') !== 'owner') return refusal(403, 'forbidden');
    if (this.#random.chance(faults.refused)) {
      return this.#random.pick([
        refusal(401, 'token.invalid'),
        refusal(403, 'forbidden'),
        refusal(429, 'slow'),
      ]);
    }
    if (this.#random.chance(faults.brokenBefore)) return refusal(503, 'unavailable');
    if (this.#random.chance(faults.redirected / 4)) return redirect(this.#random.pick(redirects.before));
    const answer = this.#apply(request, departure);
    if (answer.status < 300 && this.#random.chance(faults.redirected))
      return redirect(this.#random.pick(redirects.after));
    if (answer.status < 300 && this.#random.chance(faults.turnedAwayAfter)) {
      const turnedAway = this.#random.pick([refusal(401, 'token.invalid'), refusal(429, 'slow')]);
      this.#reach(`done, and answered ${turnedAway.status}: ${request.path}`);
      return turnedAway;
    }
    return this.#random.chance(faults.brokenAfter)
      ? refusal(503, 'set_creation_upload.outcome_unresolved')
      : answer;
  }

  /** Somebody has uploaded something under this id before, from elsewhere. */
  takeId(mutation: string): void {
    const slow = this.#random.chance(this.#weather.faults.slowProcessing);
    const ready = slow ? 1 + this.#random.below(60_000) : 0;
    const fails = this.#random.chance(0.2);
    this.#uploads.set(mutation, { assetId: idOf(90 + this.#uploads.size), ready, fails, foreign: true });
  }

  /** Somebody else changes an Asset. */
  change(id: string): void {
    this.#assetOf(id).revision += 1;
  }

  asset(id: string): { readonly id: string; readonly updatedAt: string; readonly languageCode: string } {
    const { revision, languageCode } = this.#assetOf(id);
    return { id, updatedAt: `r${revision}`, languageCode };
  }

  #assetOf(id: string): Asset {
    const known = this.#assets.get(id) ?? { revision: 1, languageCode: 'en' };
    this.#assets.set(id, known);
    return known;
  }

  /** Those that a search finds, or all; the oldest come first, and the list may be cut. */
  groups(title: string | undefined): Record<string, unknown>[] {
    const found = this.#groups.filter(
      (group) => group.listedAt <= this.#time() && (title === undefined || group.title === title),
    );
    return [...this.#others, ...found].slice(0, this.#mostListed).map(({ id, title }) => ({ id, title }));
  }

  group(id: string): Record<string, unknown> | null {
    const found = this.#groups.find((group) => String(group.id) === id);
    return found === undefined ? null : { id: found.id, title: found.title, updatedAt: 'r1' };
  }

  upload(id: string): Record<string, unknown> | null {
    const found = this.#uploads.get(id);
    return found === undefined ? null : this.#shown(id, found);
  }

  #apply(request: SendRequest, departure: Departure): Answer {
    const id = departure.mutation;
    if (request.path === '/me/assets') {
      const known = this.#uploads.get(id);
      if (known?.foreign === true) return refusal(409, 'client_mutation.reused');
      if (known !== undefined) return { status: 200, body: { data: this.#shown(id, known) } };
      const slow = this.#random.chance(this.#weather.faults.slowProcessing);
      const upload = {
        assetId: idOf(100 + this.#uploads.size),
        foreign: false,
        ready: this.#time() + (slow ? 1 + this.#random.below(60_000) : 0),
        fails: slow && this.#random.chance(0.3),
      };
      this.#uploads.set(id, upload);
      if (!upload.fails) this.#watch.applied(departure);
      const { previousAssetId } = request.query ?? {};
      if (!upload.fails && typeof previousAssetId === 'string') this.change(previousAssetId);
      return { status: 201, body: { data: this.#shown(id, upload) } };
    }
    if (request.path === '/me/groups') {
      const group = { id: this.#groups.length + 1, title: id };
      const lag = this.#random.chance(0.3) ? this.#random.below(latestListing) : 0;
      this.#groups.push({ ...group, listedAt: this.#time() + lag });
      this.#watch.applied(departure);
      return { status: 201, body: { data: { ...group, updatedAt: 'r1' } } };
    }
    const sent: { expectedUpdatedAt?: string; languageCode?: string } = JSON.parse(String(request.body));
    const asset = this.#assetOf(assetId);
    if (sent.expectedUpdatedAt !== `r${asset.revision}`) return refusal(409, 'revision.stale');
    asset.revision += 1;
    asset.languageCode = sent.languageCode ?? '';
    this.#watch.applied(departure);
    return { status: 200, body: { data: this.asset(assetId) } };
  }

  #shown(id: string, { assetId: asset, ready, fails }: Upload): Record<string, unknown> {
    const done = this.#time() >= ready;
    const processingStatus = done ? (fails ? 'failed' : 'succeeded') : 'processing';
    return {
      clientMutationId: id,
      assetId: asset,
      processingStatus,
      publicationStatus: 'pending',
      ...(processingStatus === 'failed' ? { error: { code: 'asset.broken', message: 'broken' } } : {}),
    };
  }
}
