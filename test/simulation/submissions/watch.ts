import type { LedgerEntry } from '../../../src/ledger/entry.ts';
import type { StoredValue } from '../../../src/storage/atomic-store.ts';
import type { Heard } from '../agent.ts';
import { Unknowns } from '../unknowns.ts';
import { isNoted, meantBy } from './meant.ts';
import type { Submission } from './submission.ts';

/** A request of a submission that left a process. */
export interface Sending {
  readonly step: 'admission' | 'transfer' | 'completion';
  readonly mutation: string;
  readonly item: string | null;
  readonly process: string;
  /** Whose token it carries. */
  readonly account: string;
  /** When it left. */
  readonly at: number;
  /** Nobody can say yet that it changed nothing. */
  open: boolean;
  /** It was answered with 401 or 429: it can't arrive later, and one look tells what it has done. */
  isTurnedAway: boolean;
}

/** What a process has seen of a submission, since it has had it. */
interface Seen {
  readonly looks: SeenOnce[];
}

interface SeenOnce {
  /** When its answer was heard. */
  readonly step: number;
  /** ms */
  readonly asked: number;
  readonly heard: number;
  /** Which items the service lacked when it answered. */
  readonly lacking: ReadonlySet<string>;
}

/**
 * Somebody was told for certain that nothing is admitted: nothing of what their own process had sent by then, nor of
 * what any other had sent before the call began.
 */
interface Denial {
  readonly process: string;
  readonly began: number;
  readonly told: number;
}

/** How far apart the looks have to be that show a file not to have arrived, ms. */
const betweenLooksMs = 2_000;
const verdicts: readonly (string | undefined)[] = ['succeeded', 'partial', 'failed', 'rolled_back'];

export interface Truth {
  of(mutation: string): Submission | null;
  outcomeOf(mutation: string): string | null;
}

/** Sees everything, and says what must never happen. */
export class Watch {
  readonly violations: string[] = [];
  readonly entries = new Map<string, LedgerEntry>();
  readonly #now: () => { readonly step: number; readonly time: number };
  readonly #sendings = new Map<string, Sending[]>();
  /** Of each mutation. */
  readonly #all = new Map<string, Sending[]>();
  readonly #admissions = new Map<string, string>();
  readonly #seen = new Map<string, Seen>();
  readonly #denials = new Map<string, Denial[]>();
  readonly #admitted = new Map<string, Sending>();
  readonly #turnedAway = new Set<string>();
  readonly #presented = new Map<string, number>();
  readonly #unknowns: Unknowns;
  /** Whether a process saw the Set as it was first seen, at which step. */
  readonly #setLooks = new Map<string, { readonly step: number; readonly fits: boolean }[]>();
  #truth: Truth = { of: () => null, outcomeOf: () => null };
  /** Whether the service shows which files it has. */
  #tells = true;

  constructor(
    now: () => { readonly step: number; readonly time: number },
    isAlive: (process: string) => boolean,
  ) {
    this.#now = now;
    this.#unknowns = new Unknowns(isAlive);
  }

  knows(truth: Truth, tells: boolean): void {
    this.#truth = truth;
    this.#tells = tells;
  }

  /** A process hears at which revision the Set is. */
  sawSet(process: string, fits: boolean): void {
    list(this.#setLooks, process).push({ step: this.#now().step, fits });
  }

  /** The digest of the bytes that were meant for an item. */
  meant(mutation: string, itemId: string): string | null {
    const entry = this.entries.get(mutation);
    return entry === undefined ? null : (meantBy(entry).get(itemId)?.sha256 ?? null);
  }

  /** The service turns an item's file away for good. */
  turnedAway(itemId: string): void {
    this.#turnedAway.add(itemId);
  }

  /** The ledger is written: what was meant never changes, nor does a verdict. */
  written(stored: StoredValue): void {
    const { key, value } = stored;
    this.#unknowns.written(stored, this.#now().time);
    if (!key.startsWith('ledger/')) return;
    const entry: LedgerEntry = JSON.parse(value);
    const { clientMutationId: id, owner, epoch } = entry;
    const before = this.entries.get(id);
    this.entries.set(id, entry);
    if (before === undefined || before.epoch !== epoch) this.#seen.delete(`${owner?.instance} ${id}`);
    if (before === undefined) return;
    if (before.digest !== entry.digest || before.intent !== entry.intent)
      this.violated(`${id} means something else in the ledger`);
    const admission = admissionIn(before);
    if (admission !== null && admission !== admissionIn(entry))
      this.violated(`${id} has another admission in the ledger`);
    if (verdicts.includes(before.outcome ?? undefined) && before.outcome !== entry.outcome)
      this.violated(`${id} was ${before.outcome} in the ledger and is ${entry.outcome}`);
  }

  /**
   * The ledger lets a process send something, which leaves a moment later, if the process lives. In that moment somebody
   * else may give the entry up or record its end, but nobody can take it over.
   */
  begins({ mutation, process, step }: Pick<Sending, 'mutation' | 'process' | 'step'>): void {
    const wrong = whatForbids(this.entries.get(mutation), process, step);
    if (wrong !== null) this.violated(`${step} of ${mutation} is sent ${wrong}`);
  }

  /** Something leaves a process. */
  leaves(sending: Omit<Sending, 'at' | 'open' | 'isTurnedAway'>, body: string | null): Sending {
    const { step } = sending;
    const begun = { ...sending, at: this.#now().step, open: true, isTurnedAway: false };
    const owner = this.entries.get(sending.mutation)?.owner?.instance;
    if (owner !== undefined && owner !== sending.process)
      this.violated(`${step} of ${sending.mutation} leaves a process that has lost it`);
    const all = list(this.#all, sending.mutation);
    if (all.some(({ open, account }) => open && account !== sending.account))
      this.violated(`${step} of ${sending.mutation} is sent for another account`);
    all.push(begun);
    switch (step) {
      case 'admission':
        this.#checkAdmission(begun, body ?? '');
        break;
      case 'transfer':
        this.#checkTransfer(begun);
        break;
      case 'completion':
        this.#checkCompletion(begun);
    }
    list(this.#sendings, keyOf(sending)).push(begun);
    return begun;
  }

  /** A process hears what the service lacked when it was asked, or when it refused a completion. */
  looked(process: string, mutation: string, asked: number, lacking: ReadonlySet<string>): void {
    const { step, time } = this.#now();
    this.#seenBy(process, mutation).looks.push({ step, asked, heard: time, lacking });
  }

  admitted(sending: Sending): void {
    const { mutation } = sending;
    if (this.#admitted.has(mutation)) this.violated(`${mutation} is admitted twice`);
    this.#admitted.set(mutation, sending);
    if (list(this.#denials, mutation).some((denial) => contradicts(denial, sending)))
      this.violated(`${mutation} is admitted, although its caller was told that it was not sent`);
  }

  /** Somebody was told how a submission stands, by a call that began at that step. */
  told(process: string, { clientMutationId: id, outcome, items, next }: Heard, began: number): void {
    if (id === null) return;
    if (outcome === 'refused' || outcome === 'not_sent') {
      const denial = { process, began, told: this.#now().step };
      const admitted = this.#admitted.get(id);
      if (admitted !== undefined && contradicts(denial, admitted))
        this.violated(`${id} is called ${outcome} and is admitted`);
      list(this.#denials, id).push(denial);
    }
    if (verdicts.includes(outcome)) {
      const truth = this.#truth.outcomeOf(id);
      // What is there under the id may be ours only where the ledger can't know what became of a request of ours.
      if (this.#truth.of(id)?.foreign === true && !this.#unknowns.has(id))
        this.violated(`${id} is called ${outcome}, and what is there is another's`);
      if (truth !== outcome) this.violated(`${id} is called ${outcome} and is ${truth ?? 'not settled'}`);
      for (const { itemId, status, assetId, error } of items ?? []) {
        const item = this.#truth.of(id)?.items.find((one) => one.itemId === itemId);
        if (item?.status !== status || (item.assetId ?? undefined) !== assetId)
          this.violated(`item ${itemId} is called ${status} and is ${item?.status ?? 'not there'}`);
        if (status === 'succeeded' && error !== undefined)
          this.violated(`item ${itemId} has succeeded, and is told with an error`);
      }
    }
    const open = outcome === 'processing' || outcome === 'unresolved';
    if (open && next === undefined) this.violated(`${id} is ${outcome}, and nobody is told what to do`);
  }

  /** A refresh token leaves; it may again once it is proven that it was not consumed. */
  presents(token: string): () => void {
    const open = this.#presented.get(token) ?? 0;
    if (open > 0) this.violated(`refresh token ${token} is presented twice`);
    this.#presented.set(token, open + 1);
    return () => this.#presented.set(token, (this.#presented.get(token) ?? 1) - 1);
  }

  violated(what: string): void {
    this.violations.push(`step ${this.#now().step}: ${what}`);
  }

  #checkAdmission({ mutation, process }: Sending, body: string): void {
    const before = list(this.#sendings, keyOf({ mutation, step: 'admission', item: null }));
    const isEdit = this.entries.get(mutation)?.operation === 'edit_set';
    if (isEdit && before.some(({ open }) => open)) {
      const last = before.filter((one) => one.process === process).at(-1)?.at ?? -1;
      const looks = list(this.#setLooks, process).filter(({ step }) => step > last);
      if (!looks.some(({ fits }) => fits))
        this.violated(`${mutation} is admitted again over a moved revision`);
    }
    const first = this.#admissions.get(mutation) ?? body;
    this.#admissions.set(mutation, first);
    if (first !== body) this.violated(`the admission of ${mutation} has changed`);
  }

  /** A file whose fate is not known is sent again only once it is seen not to have arrived. */
  #checkTransfer({ mutation, item, process }: Sending): void {
    if (item === null) return;
    const earlier = list(this.#sendings, keyOf({ mutation, step: 'transfer', item })).filter(
      ({ open }) => open,
    );
    if (earlier.length === 0) return;
    const own = earlier.filter((one) => one.process === process).map(({ at }) => at);
    const since = Math.max(-1, ...own);
    const { looks } = this.#seenBy(process, mutation);
    const missed = looks.filter(({ step, lacking }) => step > since && lacking.has(item));
    // A look that was asked for long before may be heard last.
    const first = Math.min(...missed.map(({ heard }) => heard));
    const last = Math.max(...missed.map(({ asked }) => asked));
    // What went before the last one was seen not to have arrived by then.
    const isAnswered = earlier.filter(({ at }) => at >= since).every(({ isTurnedAway }) => isTurnedAway);
    if (last - first >= betweenLooksMs || (isAnswered && missed.length > 0)) return;
    this.violated(`item ${item} is sent again, and nothing shows that it had not arrived`);
  }

  #checkCompletion({ mutation, process }: Sending): void {
    const submission = this.#truth.of(mutation);
    const entry = this.entries.get(mutation);
    for (const { itemId, file, status } of submission?.items ?? []) {
      if (file === null || status !== 'awaiting' || this.#turnedAway.has(itemId)) continue;
      // Where nobody can tell what has arrived the service's own word is asked for.
      if (!this.#tells && entry !== undefined && isNoted(entry, itemId)) continue;
      this.violated(`${mutation} is completed before item ${itemId} has arrived`);
    }
    const before = list(this.#sendings, keyOf({ mutation, step: 'completion', item: null }));
    const own = before.filter((one) => one.open && one.process === process).map(({ at }) => at);
    const since = Math.max(-1, ...own);
    const { looks } = this.#seenBy(process, mutation);
    if (before.some(({ open }) => open) && !looks.some(({ step }) => step > since))
      this.violated(`${mutation} is completed again without a look`);
  }

  #seenBy(process: string, mutation: string): Seen {
    const key = `${process} ${mutation}`;
    const seen = this.#seen.get(key) ?? { looks: [] };
    this.#seen.set(key, seen);
    return seen;
  }
}

/** Null where a process may send this now. */
function whatForbids(entry: LedgerEntry | undefined, process: string, step: Sending['step']): string | null {
  if (entry === undefined) return 'and not in the ledger';
  const { abandonedAt, state, owner } = entry;
  if (abandonedAt !== null) return 'after it was given up';
  if (state === 'settled') return 'after it had ended';
  if (owner?.instance !== process) return 'by somebody who has lost it';
  const due = step === 'admission' ? 'sending' : 'processing';
  return state === due ? null : `while the ledger calls it ${state}`;
}

function contradicts({ process, began, told }: Denial, sending: Sending): boolean {
  return sending.at < (sending.process === process ? told : began);
}

function keyOf({ mutation, step, item }: Pick<Sending, 'mutation' | 'step' | 'item'>): string {
  return `${mutation} ${step} ${item ?? ''}`;
}

function admissionIn({ progress }: LedgerEntry): string | null {
  return progress instanceof Object && 'admission' in progress ? String(progress.admission) : null;
}

function list<Value>(of: Map<string, Value[]>, key: string): Value[] {
  const found = of.get(key);
  if (found !== undefined) return found;
  const made: Value[] = [];
  of.set(key, made);
  return made;
}
