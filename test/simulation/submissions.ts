import type { SendRequest } from '../../src/catalogue/send.ts';
import { type Answer, type Issue, type Parts, refusal } from './answers.ts';
import { contentType, digest } from './folder.ts';
import { type Change, type OwnedThings, setId } from './owned-set.ts';
import type { Sending } from './watch.ts';
import { Versions } from './weather.ts';

export type SubmissionOutcome = 'succeeded' | 'partial' | 'rolled_back' | 'failed';

interface DeclaredFile {
  readonly filename: string;
  readonly contentType: string;
  readonly contentLength: number;
}

type ItemStatus = 'awaiting' | 'received' | 'succeeded' | 'failed' | 'rolled_back';

/** One item, as the service has it. */
export interface Item extends Change {
  readonly itemId: string;
  readonly file: DeclaredFile | null;
  /** `awaiting` its file; `received`, or in need of none; then what came of it. */
  readonly status: Versions<ItemStatus>;
  /** When the outcome of its file is known, ms. */
  readyAt: number;
  /** It will turn out to be no picture. */
  spoilt: boolean;
  assetId: string | null;
}

export interface Submission {
  readonly id: string;
  readonly kind: 'creation' | 'edit';
  readonly mutation: string;
  /** The admission, byte for byte. */
  readonly admission: string;
  /** ms */
  readonly at: number;
  readonly title: string | null;
  readonly expectedUpdatedAt: string | null;
  readonly items: readonly Item[];
  /** Admitted from elsewhere, with files of other bytes. */
  readonly foreign: boolean;
  completion: { readonly outcome: SubmissionOutcome; readonly settlesAt: number } | null;
}

/** What an id stands for that was used elsewhere: another submission, or the same, with other bytes, that has ended. */
export type Taken = 'another' | 'completed';

/** Set submissions: the States of the interface document, and its two kinds in four steps. */
export class Submissions {
  readonly #parts: Parts & { readonly owned: OwnedThings };
  readonly #byMutation = new Map<string, Submission>();
  readonly #byId = new Map<string, Submission>();
  readonly #taken = new Map<string, Taken>();

  constructor(parts: Parts & { readonly owned: OwnedThings }) {
    this.#parts = parts;
  }

  /** Somebody has used this id before, from elsewhere. */
  takeId(mutation: string, taken: Taken): void {
    this.#taken.set(mutation, taken);
  }

  taken(mutation: string): Taken | null {
    return this.#taken.get(mutation) ?? null;
  }

  of(mutation: string): Submission | null {
    return this.#byMutation.get(mutation) ?? null;
  }

  byId(id: string): Submission | null {
    return this.#byId.get(id) ?? null;
  }

  /** The items whose files are not there, as it was at some time. */
  lacks(mutation: string, at: number): ReadonlySet<string> {
    const items = this.of(mutation)?.items ?? [];
    return new Set(items.filter(({ status }) => status.at(at) === 'awaiting').map(({ itemId }) => itemId));
  }

  /** The outcome that everybody may be told by now. */
  outcomeOf(mutation: string): SubmissionOutcome | null {
    const submission = this.of(mutation);
    return submission === null ? null : outcomeAt(submission, this.#parts.time());
  }

  post(request: SendRequest, sending: Sending): Answer {
    switch (sending.step) {
      case 'admission':
        return this.#admit(request, sending);
      case 'transfer':
        return this.#receive(request, sending);
      default:
        return this.#complete(sending);
    }
  }

  #admit(request: SendRequest, sending: Sending): Answer {
    const { watch, owned, time } = this.#parts;
    const text = String(request.body);
    const { mutation } = sending;
    const taken = this.#taken.get(mutation);
    if (taken === 'another') return refusal(409, 'mutation.reused');
    const known = this.of(mutation);
    if (known === null && taken === 'completed') return this.#receipt(200, this.#madeElsewhere(text));
    if (known !== null) {
      if (known.admission !== text) {
        watch.violated(`${mutation} is admitted a second time as something else`);
        return refusal(409, 'mutation.reused');
      }
      return this.#receipt(200, known);
    }
    const submission = admissionOf(text, `submission-${this.#byId.size + 1}`, time());
    const { kind, items, expectedUpdatedAt } = submission;
    if (kind === 'edit') {
      if (expectedUpdatedAt !== owned.set().updatedAt) return refusal(409, 'revision.stale');
      if (items.some((item) => owned.objection(item) !== null)) return refusal(409, 'asset.stale');
    }
    this.#byMutation.set(mutation, submission);
    this.#byId.set(submission.id, submission);
    watch.applied(sending);
    return this.#receipt(201, submission);
  }

  /** The same admission, made elsewhere, whose files have all arrived there. */
  #madeElsewhere(text: string): Submission {
    const { owned, random } = this.#parts;
    const admitted = admissionOf(text, `submission-${this.#byId.size + 1}`, Number.NEGATIVE_INFINITY);
    // Without files the admission is the whole intent, and the same one is answered with the same receipt.
    const foreign = admitted.items.some(({ file }) => file !== null);
    const submission = { ...admitted, foreign };
    for (const item of submission.items) item.status.set('received', Number.NEGATIVE_INFINITY);
    const outcome = applyTo(owned, submission, random.chance(0.2), Number.NEGATIVE_INFINITY);
    submission.completion = { outcome, settlesAt: Number.NEGATIVE_INFINITY };
    this.#byMutation.set(submission.mutation, submission);
    this.#byId.set(submission.id, submission);
    return submission;
  }

  #receive({ body, headers }: SendRequest, sending: Sending): Answer {
    const { random, watch, weather, habits, time } = this.#parts;
    const submission = this.of(sending.mutation);
    const item = submission?.items.find(({ itemId }) => itemId === sending.item);
    if (submission === null || item === undefined || item.file === null) return refusal(404, 'not_found');
    const { filename, contentLength } = item.file;
    const announced = headers['X-Upload-Filename'] === filename && headers['Content-Type'] === contentType;
    if (!announced || body.length !== contentLength) {
      watch.violated(`${item.itemId} is sent otherwise than it was declared`);
      return refusal(409, 'file.declaration_conflict');
    }
    watch.receives(sending, digest(Buffer.isBuffer(body) ? body.toString() : ''));
    if (item.status.latest !== 'awaiting')
      return habits.takesOnce ? refusal(409, 'file.already_received') : this.#receipt(200, submission);
    if (weather.happens('turnedDown')) {
      if (habits.insists) watch.isInsisted(item.itemId);
      else item.status.set('failed', time());
      return refusal(422, 'asset.file.damaged');
    }
    item.status.set('received', time());
    item.readyAt = time() + (weather.happens('slow') ? 1 + random.below(40_000) : 0);
    item.spoilt = weather.happens('spoilt');
    return this.#receipt(201, submission);
  }

  #complete(sending: Sending): Answer {
    const { random, weather, habits, owned, time } = this.#parts;
    const submission = this.of(sending.mutation);
    if (submission === null) return refusal(404, 'not_found');
    const { items } = submission;
    if (submission.completion !== null) return this.#receipt(200, submission);
    const now = time();
    const pending = items.filter(({ status, readyAt }) => status.latest === 'awaiting' || readyAt > now);
    if (pending.length > 0) {
      // It names what it lacks, not what it is still looking at.
      const lacking = pending.filter(({ status }) => status.latest === 'awaiting');
      return refusal(409, 'submission.files_pending', habits.namesPending ? lacking.map(issueOf) : []);
    }
    if (weather.happens('fails')) return refusal(409, 'submission.busy');
    const fails = weather.happens('fails');
    const outcome = applyTo(owned, submission, fails, now);
    const settlesAt = now + (weather.happens('slow') ? 1 + random.below(90_000) : 0);
    submission.completion = { outcome, settlesAt };
    return this.#receipt(200, submission);
  }

  #receipt(status: number, submission: Submission): Answer {
    return { status, body: { data: { submission: this.record(submission, this.#parts.time()) } } };
  }

  /** The service's record of a submission, as of some time (the interface document, Protected-side records). */
  record(submission: Submission, at: number): object {
    const { habits, owned } = this.#parts;
    const { id, kind, mutation, items, completion } = submission;
    const outcome = outcomeAt(submission, at);
    const meanwhile = completion !== null && habits.doubtsItself ? 'unresolved' : null;
    const made = outcome === 'succeeded' || outcome === 'partial';
    return {
      submissionId: id,
      clientMutationId: mutation,
      status: outcome === null ? 'processing' : 'completed',
      outcome: outcome ?? meanwhile,
      ...(kind === 'edit' && made ? { setId, set: owned.set() } : {}),
      ...(kind === 'creation' && made ? { setId: 50 } : {}),
      items: items.flatMap((item) => {
        const status = this.#statusOf(item, outcome !== null, at);
        if (status === null) return [];
        const known = outcome !== null && item.status.latest === 'succeeded';
        return [{ itemId: item.itemId, status, assetId: known ? item.assetId : null }];
      }),
    };
  }

  /** Null: it is not listed. */
  #statusOf({ status, spoilt, readyAt }: Item, isSettled: boolean, at: number): string | null {
    const { words } = this.#parts.habits;
    if (isSettled) return status.latest;
    if (status.at(at) === 'awaiting')
      return { plain: 'pending', worded: 'waiting', unlisted: null, mute: 'processing' }[words];
    if (status.at(at) === 'failed' || (spoilt && readyAt <= at)) return 'failed';
    return words === 'worded' ? 'stored' : 'processing';
  }
}

function issueOf({ itemId }: Item): Issue {
  const code = 'submission.files_pending';
  return { code, message: 'It is not there yet.', path: ['items', itemId] };
}

/** The outcome, once it shows. */
function outcomeAt({ completion }: Submission, at: number): SubmissionOutcome | null {
  return completion !== null && completion.settlesAt <= at ? completion.outcome : null;
}

type Declared = Change & { readonly itemId: string; readonly declaredFile: DeclaredFile | null };

interface AdmissionBody {
  readonly clientMutationId: string;
  readonly expectedUpdatedAt?: string;
  readonly titleBase?: string;
  readonly declaredFiles?: readonly (DeclaredFile & Omit<Declared, 'declaredFile' | 'operation'>)[];
  readonly items?: readonly Declared[];
}

const noneExpected = { expectedPreviousAssetId: null, existingAssetId: null, expectedAssetUpdatedAt: null };

/** A submission as it is admitted: what it declares never changes. */
function admissionOf(text: string, id: string, at: number): Submission {
  const body: AdmissionBody = JSON.parse(text);
  const { clientMutationId: mutation, titleBase: title = null, expectedUpdatedAt = null } = body;
  const created = body.declaredFiles?.map((file) =>
    fresh({ ...file, operation: 'add', ...noneExpected, declaredFile: file }),
  );
  const items = created ?? (body.items ?? []).map(fresh);
  const kind = created === undefined ? 'edit' : 'creation';
  const head = { id, mutation, admission: text, at, title, expectedUpdatedAt };
  return { ...head, kind, items, foreign: false, completion: null };
}

function fresh({ declaredFile, ...item }: Declared): Item {
  const status = new Versions<ItemStatus>(declaredFile === null ? 'received' : 'awaiting');
  return { ...item, file: declaredFile, status, readyAt: 0, spoilt: false, assetId: null };
}

/**
 * Completes a submission (the interface document, States): what was staged becomes artwork, each item by itself; a
 * creation without a single picture makes no Set, and an edit saves its metadata whatever becomes of its items.
 * `fails`: nothing comes of it in the end.
 */
function applyTo(owned: OwnedThings, submission: Submission, fails: boolean, at: number): SubmissionOutcome {
  const { kind, items, title, expectedUpdatedAt } = submission;
  const isReceived = ({ status }: Item) => status.latest === 'received';
  for (const item of items) if (item.spoilt) item.status.set('failed', at);
  if (fails) {
    const outcome = kind === 'creation' && items.some(isReceived) ? 'rolled_back' : 'failed';
    for (const item of items.filter(isReceived)) item.status.set(outcome, at);
    return outcome;
  }
  const isRenaming = kind === 'edit' && title !== null;
  const isRenamed = isRenaming && owned.set().updatedAt === expectedUpdatedAt;
  for (const item of items.filter(isReceived)) {
    if (kind === 'creation') item.assetId = owned.newAsset();
    else if (owned.objection(item) === null) item.assetId = owned.apply(item);
    item.status.set(item.assetId === null ? 'failed' : 'succeeded', at);
  }
  const words = items.map(({ status }) => status.latest);
  if (isRenaming) words.push(isRenamed ? 'succeeded' : 'failed');
  if (!words.includes('succeeded')) return 'failed';
  if (kind === 'edit') owned.changeSet(isRenamed ? title : undefined);
  return words.includes('failed') ? 'partial' : 'succeeded';
}
