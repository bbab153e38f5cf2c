import { surelyHeldMs } from '../../src/ledger/lease.ts';
import type { ItemReport, Outcome } from '../../src/mutations/answer/result.ts';
import type { AccountName } from './accounts.ts';
import { isOpen, type StoredRecord } from './record.ts';
import type { Submission } from './submissions.ts';
import type { Wish } from './wishes.ts';

export type Step = 'upload' | 'group' | 'group edit' | 'metadata' | 'admission' | 'transfer' | 'completion';

/** A request that left a process. */
export interface Sending {
  readonly step: Step;
  readonly mutation: string;
  /** Of a transfer. */
  readonly item: string | null;
  readonly process: string;
  /** Whose token it carries. */
  readonly account: AccountName;
  /** When it left. */
  readonly at: number;
  /** Nobody can say yet that it changed nothing. */
  isOpen: boolean;
  /** It was answered with 401 or 429: it can't arrive later. */
  isTurnedAway: boolean;
}

/** What a process was shown of a change, or of what a change rests on. */
interface Look {
  readonly asked: number;
  readonly heard: number;
  /** The expected revision stands; of an upload: there is none under its id. */
  readonly fits: boolean;
  /** The items whose files the service lacks, as it was shown. */
  readonly lacking: ReadonlySet<string>;
}

/**
 * Somebody was told for certain that nothing was applied: nothing of what their own process had sent by then, nor of
 * what any other had sent before the call began.
 */
interface Denial {
  readonly process: string;
  readonly began: number;
  readonly told: number;
}

/** The last call of a process for a change. */
interface Called {
  readonly process: string;
  readonly mayRepeat: boolean;
  /** The step at which it read the order of claims and settlements. */
  since: number | null;
}

/** What somebody heard of a change. */
export interface Told {
  readonly clientMutationId: string | null;
  readonly outcome?: Outcome | undefined;
  readonly items?: readonly ItemReport[] | undefined;
  readonly next?: object | undefined;
}

/** What has become of one change, as the watch saw it. */
class History {
  readonly sendings: Sending[] = [];
  readonly applied = new Set<Sending>();
  readonly denials: Denial[] = [];
  /** The bytes of its first admission. */
  admission: string | null = null;
  /** When its holder gave its last sign, ms. */
  beatAt = 0;
  /** The steps at which it was claimed and settled. */
  claimedAt = Number.POSITIVE_INFINITY;
  settledAt = 0;
  /** The ledger has said at some time that something of it may have been applied. */
  isDoubted = false;
}

export interface Truth {
  submissionOf(mutation: string): Submission | null;
  outcomeOf(mutation: string): string | null;
  /** What is there under an id was made elsewhere. */
  isForeign(mutation: string): boolean;
  isAlive(process: string): boolean;
  /** Whether the service shows which files it has. */
  readonly tellsFiles: boolean;
}

const verdicts: readonly (string | null | undefined)[] = ['succeeded', 'partial', 'failed', 'rolled_back'];
/** Sees everything, and says what must never happen: it judges by what the service got and by what people were told. */
export class Watch {
  readonly violations: string[] = [];
  records: ReadonlyMap<string, StoredRecord> = new Map();
  readonly #now: () => { readonly step: number; readonly time: number };
  readonly #wishes: ReadonlyMap<string, Wish>;
  readonly #histories = new Map<string, History>();
  /** By process, and what it was shown. */
  readonly #looks = new Map<string, Look[]>();
  readonly #insisted = new Set<string>();
  /** By process and change: whether a call has said that it may be repeated, and the order that the last one found. */
  readonly #calls = new Map<string, Called>();
  #truth: Truth | null = null;

  constructor(now: () => { readonly step: number; readonly time: number }, wishes: readonly Wish[]) {
    this.#now = now;
    this.#wishes = new Map(wishes.map((wish) => [wish.id, wish]));
  }

  knows(truth: Truth): void {
    this.#truth = truth;
  }

  violated(what: string): void {
    this.violations.push(`step ${this.#now().step}: ${what}`);
  }

  /** The service turns an item's file away for good, and yet waits for it. */
  isInsisted(itemId: string): void {
    this.#insisted.add(itemId);
  }

  /** A process calls for a change. */
  calls(process: string, mutation: string, mayRepeat: boolean): void {
    const key = `${process} ${mutation}`;
    const before = this.#calls.get(key);
    this.#calls.set(key, { process, since: null, mayRepeat: mayRepeat || before?.mayRepeat === true });
  }

  /** A process reads where the order of claims and settlements stands. What was done before, its call may know. */
  readsOrder(process: string): void {
    const since = this.#now().step;
    for (const call of this.#calls.values()) if (call.process === process) call.since ??= since;
  }

  /** The store as a process leaves it: what was meant never changes, nor does a verdict, and only holders write. */
  written(process: string, records: ReadonlyMap<string, StoredRecord>): void {
    const before = this.records;
    const { step, time } = this.#now();
    this.records = records;
    for (const record of records.values()) {
      const old = before.get(record.id);
      const history = this.#historyOf(record.id);
      if (old === undefined) history.claimedAt = step;
      else this.#compare(process, old, record);
      if (old?.epoch !== record.epoch || old.beat !== record.beat) history.beatAt = time;
      history.isDoubted ||= record.isDoubted;
      if (record.state === 'settled' && old?.state !== 'settled') history.settledAt = step;
      if (isOpen(record) && (old === undefined || !isOpen(old))) this.#checkTwin(process, record);
    }
  }

  #compare(process: string, old: StoredRecord, record: StoredRecord): void {
    const { id } = record;
    if (old.digest !== record.digest) this.violated(`${id} means something else in the ledger`);
    if (verdicts.includes(old.outcome) && old.outcome !== record.outcome)
      this.violated(`${id} was ${old.outcome} in the ledger and is ${record.outcome}`);
    const isOther = old.holder !== null && old.holder !== process;
    const history = this.#historyOf(id);
    const quiet = this.#now().time - history.beatAt;
    const isHeld = isOther && this.#truth?.isAlive(old.holder) === true && quiet < surelyHeldMs;
    // What was being sent when its process died may have been applied.
    if (old.state === 'sending' && !isHeld && isOther) history.isDoubted = true;
    if (isHeld && old.epoch !== record.epoch && !record.isAbandoned)
      this.violated(`${id} is taken from ${old.holder}, which lives`);
    const needsLease = ['not_sent', 'refused', null].includes(record.outcome) && !record.isAbandoned;
    const hasMoved = old.state !== record.state || old.isDoubted !== record.isDoubted;
    // A claim of which nothing was sent, and whose process is gone, is ended by the claim that it is in the way of.
    const isDeadClaim = old.state === 'claimed' && record.outcome === 'not_sent' && !isHeld;
    if (isOther && needsLease && hasMoved && old.epoch === record.epoch && !isDeadClaim)
      this.violated(`${id} is written by ${process}, which has lost it`);
  }

  /** Two changes of one account that fill the same place with the same bytes. */
  #checkTwin(process: string, { id, subject }: StoredRecord): void {
    const twin = this.#wishes.get(id)?.twin ?? null;
    const other = twin === null ? undefined : this.records.get(twin);
    if (other === undefined || (other.subject ?? subject) !== (subject ?? other.subject)) return;
    if (isOpen(other)) this.violated(`${id} is claimed while its like is under way`);
    const since = this.#calls.get(`${process} ${id}`)?.since ?? 0;
    if (other.outcome === 'succeeded' && since < this.#historyOf(other.id).settledAt)
      this.violated(`${id} is claimed, although its like was done while it was on its way`);
  }

  /** A process is shown something: of an upload, of a submission, of what a change rests on. */
  looked(process: string, what: string, look: Pick<Look, 'asked' | 'fits'> & Partial<Look>): void {
    const heard = this.#now().step;
    list(this.#looks, `${process} ${what}`).push({ lacking: new Set(), ...look, heard });
  }

  /** The ledger lets a process send something, which leaves a moment later, if the process lives. */
  begins({ step, mutation, process }: Pick<Sending, 'step' | 'mutation' | 'process'>): void {
    const wrong = whatForbids(this.records.get(mutation), process, step);
    if (wrong !== null) this.violated(`${step} of ${mutation} is sent ${wrong}`);
  }

  /** Something leaves a process. */
  leaves(line: Omit<Sending, 'at' | 'isOpen' | 'isTurnedAway'>, body: string): Sending {
    const { step, mutation, item, process, account } = line;
    const sending = { ...line, at: this.#now().step, isOpen: true, isTurnedAway: false };
    const record = this.records.get(mutation);
    if (record !== undefined && isOpen(record) && (record.holder ?? process) !== process)
      this.violated(`${step} of ${mutation} leaves a process that has lost it`);
    const all = this.#historyOf(mutation).sendings;
    if (all.some((one) => one.isOpen && !one.isTurnedAway && one.account !== account))
      this.violated(`${step} of ${mutation} is sent for another account`);
    const earlier = all.filter((one) => one.isOpen && one.step === step && one.item === item);
    all.push(sending);
    switch (step) {
      case 'group':
        if (earlier.length > 0) this.violated(`${mutation} is sent a second time`);
        break;
      case 'metadata':
      case 'group edit':
        this.#checkEdit(sending, earlier);
        break;
      case 'upload':
        this.#checkUpload(sending, earlier);
        break;
      case 'admission':
        this.#checkAdmission(sending, earlier, body);
        break;
      case 'transfer':
        this.#checkTransfer(sending, earlier);
        break;
      case 'completion':
        this.#checkCompletion(sending, earlier);
    }
    return sending;
  }

  #checkEdit(sending: Sending, earlier: readonly Sending[]): void {
    const { mutation, process } = sending;
    if (earlier.some(({ isTurnedAway }) => !isTurnedAway)) this.violated(`${mutation} is sent a second time`);
    const rests = this.#wishes.get(mutation)?.rests ?? null;
    // What else is edited says its revision in its body, and the service compares it.
    if (sending.step === 'group edit' && this.#lastLook(process, 'group')?.fits !== true)
      this.violated(`${mutation} is sent over a moved revision`);
    this.#checkRepeated(sending, earlier, rests);
  }

  #checkUpload(sending: Sending, earlier: readonly Sending[]): void {
    const { mutation, process } = sending;
    const lost = earlier.filter(({ isTurnedAway }) => !isTurnedAway);
    const mayRepeat = this.#calls.get(`${process} ${mutation}`)?.mayRepeat === true;
    if (lost.length > 0 && !(mayRepeat && this.#looksSince(sending, lost).some(({ fits }) => fits)))
      this.violated(`${mutation} is sent a second time`);
    const rests = this.#wishes.get(mutation)?.rests ?? null;
    if (rests === null) return;
    const compared = this.#lastLook(process, rests);
    if (compared?.fits !== true) this.violated(`${mutation} is sent over a moved revision`);
    const asked = this.#lastLook(process, mutation)?.asked ?? -1;
    if (compared !== undefined && compared.asked < asked)
      this.violated(`${mutation} is sent, and its revision was not compared last`);
    this.#checkRepeated(sending, earlier, rests);
  }

  /** What its process was shown of a change after it had last sent one of these itself. */
  #looksSince({ process, mutation }: Sending, earlier: readonly Sending[]): readonly Look[] {
    const since = Math.max(-1, ...earlier.filter((one) => one.process === process).map(({ at }) => at));
    return list(this.#looks, `${process} ${mutation}`).filter(({ heard }) => heard > since);
  }

  /** A repetition compares what it rests on anew. */
  #checkRepeated({ mutation, process }: Sending, earlier: readonly Sending[], rests: string | null): void {
    if (earlier.length === 0 || rests === null) return;
    const since = Math.max(...earlier.map(({ at }) => at));
    const look = this.#lastLook(process, rests);
    if (look === undefined || look.heard < since || !look.fits)
      this.violated(`${mutation} is repeated over a moved revision`);
  }

  #checkAdmission(sending: Sending, earlier: readonly Sending[], body: string): void {
    const { mutation, process } = sending;
    // The bytes carry the revision too, so that only what is begun again later has to be compared before.
    const isResumed = this.#calls.get(`${process} ${mutation}`)?.mayRepeat === true;
    const isEdit = this.#wishes.get(mutation)?.tool === 'edit_set';
    if (isEdit && isResumed) this.#checkRepeated(sending, earlier, 'set');
    const history = this.#historyOf(mutation);
    history.admission ??= body;
    if (history.admission !== body) this.violated(`the admission of ${mutation} has changed`);
  }

  /** A file whose fate is not known is sent again only once it is shown not to have arrived; it is noted before it leaves. */
  #checkTransfer(sending: Sending, earlier: readonly Sending[]): void {
    const { mutation, item, process } = sending;
    if (item === null) return;
    if (this.records.get(mutation)?.items.get(item)?.state === 'fresh')
      this.violated(`item ${item} is sent before it is noted`);
    // What the service calls a file of which it has nothing is seen before one is sent: later nothing would tell it.
    if (list(this.#looks, `${process} ${mutation}`).length === 0)
      this.violated(`item ${item} is sent by a process that was shown nothing of it`);
    if (earlier.length > 0 && !this.#looksSince(sending, earlier).some(({ lacking }) => lacking.has(item)))
      this.violated(`item ${item} is sent again, and nothing shows that it had not arrived`);
  }

  #checkCompletion(sending: Sending, earlier: readonly Sending[]): void {
    const { mutation } = sending;
    const record = this.records.get(mutation);
    for (const { itemId, file, status } of this.#truth?.submissionOf(mutation)?.items ?? []) {
      if (file === null || status.latest !== 'awaiting' || this.#insisted.has(itemId)) continue;
      // Where nobody can tell what has arrived the service's own word is asked for.
      const stored = record?.items.get(itemId);
      if (stored?.state !== 'fresh' && this.#truth?.tellsFiles !== true) continue;
      this.violated(`${mutation} is completed before item ${itemId} has arrived`);
    }
    if (earlier.length > 0 && this.#looksSince(sending, earlier).length === 0)
      this.violated(`${mutation} is completed again without a look`);
  }

  /** The service gets an item's file. */
  receives({ mutation, item }: Sending, sha256: string): void {
    if (this.records.get(mutation)?.items.get(item ?? '')?.digest !== sha256)
      this.violated(`${item} gets other bytes than were meant`);
  }

  /** The service does what a request asks for. */
  applied(sending: Sending): void {
    const { mutation } = sending;
    const { applied, denials } = this.#historyOf(mutation);
    // What the network doubled is nobody's second request.
    applied.add(sending);
    if (applied.size > 1) this.violated(`${mutation} is applied ${applied.size} times`);
    if (denials.some((denial) => contradicts(denial, sending)))
      this.violated(`${mutation} is applied, although its caller was told that it was not`);
  }

  /** Somebody was told how a change stands, by a call that began at that step. */
  told(process: string, { clientMutationId: id, outcome, items, next }: Told, began: number): void {
    const wish = id === null ? undefined : this.#wishes.get(id);
    if (id === null || wish === undefined || outcome === undefined) return;
    if (outcome === 'refused' || outcome === 'not_sent') this.#denied(process, id, outcome, began);
    if (verdicts.includes(outcome)) {
      // Of an id that the ledger has, what is there may be ours only where a request of ours may have been applied.
      // A call that began before the claim tells what the service shows of an id that is not known here.
      const { claimedAt, isDoubted } = this.#historyOf(id);
      if (claimedAt < began && this.#truth?.isForeign(id) === true && !isDoubted)
        this.violated(`${id} is called ${outcome}, and what is there is another's`);
      if (wish.isSubmission) this.#checkVerdict(id, outcome, items ?? []);
      else this.#checkSingle(wish, outcome);
    }
    const stays = outcome === 'processing' || outcome === 'unresolved' || outcome === 'interrupted';
    if (stays && next === undefined) this.violated(`${id} is ${outcome}, and nobody is told what to do`);
  }

  #denied(process: string, id: string, outcome: Outcome, began: number): void {
    const denial = { process, began, told: this.#now().step };
    const { applied, denials } = this.#historyOf(id);
    if ([...applied].some((sending) => contradicts(denial, sending)))
      this.violated(`${id} is called ${outcome} and is applied`);
    denials.push(denial);
  }

  #checkSingle({ id }: Wish, outcome: Outcome): void {
    if (this.#truth?.isForeign(id) === true) return;
    const isApplied = this.#historyOf(id).applied.size > 0;
    if (outcome === 'succeeded' && !isApplied) this.violated(`${id} is called applied and is not`);
    if (outcome !== 'succeeded' && isApplied) this.violated(`${id} is called ${outcome} and is applied`);
  }

  #checkVerdict(id: string, outcome: Outcome, items: readonly ItemReport[]): void {
    const truth = this.#truth?.outcomeOf(id) ?? null;
    if (truth !== outcome) this.violated(`${id} is called ${outcome} and is ${truth ?? 'not settled'}`);
    const all = this.#truth?.submissionOf(id)?.items ?? [];
    for (const { itemId, status, assetId } of items) {
      const item = all.find((one) => one.itemId === itemId);
      if (item?.status.latest !== status || (item.assetId ?? undefined) !== assetId)
        this.violated(`item ${itemId} is called ${status} and is ${item?.status.latest ?? 'not there'}`);
    }
    const told = new Set(items.map(({ itemId }) => itemId));
    for (const { itemId, status } of all)
      if (status.latest !== 'succeeded' && !told.has(itemId))
        this.violated(`item ${itemId} is ${status.latest}, and nobody is told`);
  }

  #historyOf(mutation: string): History {
    const history = this.#histories.get(mutation) ?? new History();
    this.#histories.set(mutation, history);
    return history;
  }

  #lastLook(process: string, what: string | undefined): Look | undefined {
    const looks = this.#looks.get(`${process} ${what}`);
    // The answer to an earlier question may come late.
    return looks?.reduce((last, look) => (look.asked >= last.asked ? look : last));
  }
}

/** Null where a process may send this now. */
function whatForbids(record: StoredRecord | undefined, process: string, step: Step): string | null {
  if (record === undefined) return 'and not in the ledger';
  if (record.isAbandoned) return 'after it was given up';
  if (record.state === 'settled') return 'after it had ended';
  if (record.holder !== process) return 'by somebody who has lost it';
  const due = step === 'transfer' || step === 'completion' ? 'accepted' : 'sending';
  return record.state === due ? null : `while the ledger calls it ${record.state}`;
}

function contradicts({ process, began, told }: Denial, sending: Sending): boolean {
  return sending.at < (sending.process === process ? told : began);
}

function list<Value>(of: Map<string, Value[]>, key: string): Value[] {
  const found = of.get(key);
  if (found !== undefined) return found;
  const made: Value[] = [];
  of.set(key, made);
  return made;
}
