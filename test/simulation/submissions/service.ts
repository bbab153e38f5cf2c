import type { SendRequest } from '../../../src/catalogue/send.ts';
import type { Access } from '../access.ts';
import { type Answer, type Issue, redirect, redirects, refusal } from '../answers.ts';
import type { Weather } from '../faults.ts';
import type { Random } from '../random.ts';
import { applyTo } from './applied.ts';
import { admissionOf } from './admission.ts';
import type { OwnedSet } from './owned-set.ts';
import { contentType, digest } from './pictures.ts';
import { type Habits, type Item, outcomeAt, recordOf, type Submission } from './submission.ts';
import type { Sending, Watch } from './watch.ts';

/** Seconds; some are longer than a timer can be set for. */
const retryAfter = ['3', '3', '3', '3', '3', '90', '3000000', '4294967296'] as const;

export interface Parts {
  readonly random: Random;
  readonly watch: Watch;
  readonly weather: Weather;
  readonly access: Access;
  readonly habits: Habits;
  readonly set: OwnedSet;
  time(): number;
  reach(what: string): void;
}

/**
 * What an id stands for that was used elsewhere: another submission, or the same admission, of which nothing has
 * arrived (`begun`), or all, in other bytes, and that has ended (`completed`).
 */
export type Taken = 'another' | 'begun' | 'completed';

/** The catalogue, as far as submissions go: the States of the interface document, and its two kinds in four steps. */
export class Submissions {
  readonly #parts: Parts;
  readonly #byMutation = new Map<string, Submission>();
  readonly #byId = new Map<string, Submission>();
  readonly #taken = new Map<string, Taken>();

  constructor(parts: Parts) {
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

  /** The items whose files are not there. */
  lacks(mutation: string): ReadonlySet<string> {
    const items = this.#byMutation.get(mutation)?.items ?? [];
    return new Set(items.filter(({ status }) => status === 'awaiting').map(({ itemId }) => itemId));
  }

  record(submission: Submission): object {
    const { habits, set, time } = this.#parts;
    return recordOf(submission, time(), habits, set.record());
  }

  post(request: SendRequest, sending: Sending): Answer {
    const { random, access } = this.#parts;
    const { faults } = this.#parts.weather;
    if (!access.accepts(request.bearer ?? '')) return refusal(401, 'token.invalid');
    if (access.accountOf(request.bearer ?? '') !== 'owner') return refusal(403, 'forbidden');
    if (random.chance(faults.refused)) {
      return random.pick([
        refusal(401, 'token.invalid'),
        refusal(403, 'forbidden'),
        { ...refusal(429, 'slow'), headers: { 'retry-after': random.pick(retryAfter) } },
      ]);
    }
    const broken = random.pick([500, 503]);
    if (random.chance(faults.brokenBefore)) return refusal(broken, 'unavailable');
    if (random.chance(faults.redirected / 4)) return redirect(random.pick(redirects.before));
    const answer = this.#apply(request, sending);
    if (answer.status < 300 && random.chance(faults.redirected)) {
      this.#parts.reach(`done, and redirected: ${sending.step}`);
      return redirect(random.pick(redirects.after));
    }
    if (answer.status < 300 && random.chance(faults.turnedAwayAfter)) {
      const turnedAway = random.pick([refusal(401, 'token.invalid'), refusal(429, 'slow')]);
      this.#parts.reach(`done, and answered ${turnedAway.status}: ${sending.step}`);
      return turnedAway;
    }
    if (!random.chance(faults.brokenAfter) || answer.status >= 400) return answer;
    this.#parts.reach(`done, and answered ${broken}: ${sending.step}`);
    return refusal(broken, 'set_creation_upload.outcome_unresolved');
  }

  #apply(request: SendRequest, sending: Sending): Answer {
    switch (sending.step) {
      case 'admission':
        return this.#admit(request, sending);
      case 'transfer':
        return this.#receive(request, sending);
      case 'completion':
        return this.#complete(sending);
    }
  }

  #admit(request: SendRequest, sending: Sending): Answer {
    const { watch, set, reach } = this.#parts;
    const text = String(request.body);
    const { mutation } = sending;
    const taken = this.#taken.get(mutation);
    if (taken === 'another') {
      reach('its id stands for another submission');
      return refusal(409, 'mutation.reused');
    }
    const known = this.#byMutation.get(mutation);
    if (known === undefined && taken === 'completed') return this.#receipt(200, this.#madeElsewhere(text));
    if (known !== undefined) {
      if (known.admission !== text) {
        watch.violated(`${mutation} is admitted a second time as something else`);
        return refusal(409, 'mutation.reused');
      }
      reach(`admitted before, the receipt again: ${known.kind}`);
      return this.#receipt(200, known);
    }
    const submission = admissionOf(text, `submission-${this.#byId.size + 1}`);
    const { kind, items, expectedUpdatedAt } = submission;
    if (kind === 'edit') {
      if (expectedUpdatedAt !== set.updatedAt) return refusal(409, 'revision.stale');
      if (items.some((item) => set.objection(item) !== null)) return refusal(409, 'asset.stale');
    }
    this.#byMutation.set(mutation, submission);
    this.#byId.set(submission.id, submission);
    watch.admitted(sending);
    reach(`admitted: ${kind}`);
    return this.#receipt(201, submission);
  }

  /** The same admission, made elsewhere, whose files have all arrived there. */
  #madeElsewhere(text: string): Submission {
    const { set, reach, random } = this.#parts;
    const admitted = admissionOf(text, `submission-${this.#byId.size + 1}`);
    // Without files the admission is the whole intent, and the same one is answered with the same receipt.
    const foreign = admitted.items.some(({ file }) => file !== null);
    const submission = { ...admitted, foreign };
    for (const item of submission.items) item.status = 'received';
    const outcome = applyTo(set, submission, random.chance(0.2));
    submission.completion = { outcome, settlesAt: 0 };
    this.#byMutation.set(submission.mutation, submission);
    this.#byId.set(submission.id, submission);
    reach(`admitted and completed elsewhere: ${submission.kind}`);
    return submission;
  }

  #receive({ body, headers }: SendRequest, sending: Sending): Answer {
    const { random, watch, weather, habits, time, reach } = this.#parts;
    const submission = this.#byMutation.get(sending.mutation);
    const item = submission?.items.find(({ itemId }) => itemId === sending.item);
    if (submission === undefined || item === undefined || item.file === null)
      return refusal(404, 'not_found');
    const { filename, contentLength } = item.file;
    const announced = headers['X-Upload-Filename'] === filename && headers['Content-Type'] === contentType;
    if (!announced || body.length !== contentLength) {
      watch.violated(`${item.itemId} is sent otherwise than it was declared`);
      return refusal(409, 'file.declaration_conflict');
    }
    const bytes = Buffer.isBuffer(body) ? body.toString() : '';
    if (watch.meant(sending.mutation, item.itemId) !== digest(bytes))
      watch.violated(`${item.itemId} gets other bytes than were meant`);
    if (item.status !== 'awaiting') {
      if (habits.takesOnce) {
        reach('arrived before, and turned away: transfer');
        return refusal(409, 'file.already_received');
      }
      reach('arrived before, the receipt again: transfer');
      return this.#receipt(200, submission);
    }
    const { slowProcessing } = weather.faults;
    if (random.chance(slowProcessing / 8)) {
      reach(`turned away for good: ${submission.kind}`);
      if (habits.insists) watch.turnedAway(item.itemId);
      else item.status = 'failed';
      return refusal(422, 'asset.file.damaged');
    }
    item.status = 'received';
    item.readyAt = time() + (random.chance(slowProcessing) ? 1 + random.below(40_000) : 0);
    item.spoilt = random.chance(slowProcessing / 5);
    reach(`arrived: ${submission.kind}`);
    return this.#receipt(201, submission);
  }

  #complete(sending: Sending): Answer {
    const { random, weather, habits, set, time, reach } = this.#parts;
    const submission = this.#byMutation.get(sending.mutation);
    if (submission === undefined) return refusal(404, 'not_found');
    if (submission.completion !== null) {
      reach(`completed before: ${submission.kind}`);
      return this.#receipt(200, submission);
    }
    const now = time();
    const pending = submission.items.filter(({ status, readyAt }) => status === 'awaiting' || readyAt > now);
    if (pending.length > 0) {
      reach(`not completed, for what is pending: ${submission.kind}`);
      return refusal(409, 'submission.files_pending', habits.namesPending ? pending.map(issueOf) : []);
    }
    if (random.chance(weather.faults.slowProcessing / 4)) {
      reach(`not completed, once: ${submission.kind}`);
      return refusal(409, 'submission.busy');
    }
    const fails = random.chance(weather.faults.slowProcessing / 4);
    const outcome = applyTo(set, submission, fails);
    const settlesAt = now + (random.chance(weather.faults.slowProcessing) ? 1 + random.below(90_000) : 0);
    submission.completion = { outcome, settlesAt };
    reach(`completed ${outcome}: ${submission.kind}`);
    return this.#receipt(200, submission);
  }

  /** The outcome that everybody may be told by now. */
  outcomeOf(mutation: string): string | null {
    const submission = this.#byMutation.get(mutation);
    return submission === undefined ? null : outcomeAt(submission, this.#parts.time());
  }

  #receipt(status: number, submission: Submission): Answer {
    return { status, body: { data: { submission: this.record(submission) } } };
  }
}

function issueOf({ itemId }: Item): Issue {
  const code = 'submission.files_pending';
  return { code, message: 'It is not there yet.', path: ['items', itemId] };
}
