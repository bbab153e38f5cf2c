import { isSameId } from '../../catalogue/records/members.ts';
import type { SubmissionId } from '../../catalogue/request.ts';
import { sendable } from '../../catalogue/request.ts';
import {
  itemIdOfReceipt,
  type SubmissionItem,
  type Submission as SubmissionRecord,
  uploadItem,
} from '../../catalogue/submission.ts';
import { ArtworkError } from '../../errors.ts';
import type { ItemNote, ItemState } from '../../ledger/rows.ts';
import type { DeclaredFile, DeclaredItem, Submission } from '../change.ts';
import { keptErrorOf } from '../receipt.ts';
import { persist, type Run, refusalOf } from './run.ts';
import { isForPerson, type Wire } from './wire.ts';

/** Files on their way at once. */
export const transfersAtOnce = 3;
/** How often one run sends the same file. */
const mostSends = 3;
/** So many in a row that did not arrive: the service is asked before more are tried. */
const mostFailures = 3;
/** Two looks have to say that a file is lacking before it is sent again: a request may still be under way between. ms */
const betweenLooksMs = 2_000;
/** A completion may also name a file that has arrived, as long as the service works on it. ms */
const namedMs = 20_000;

/** The files of one submission: which are with the service, and which are to be sent. */
export interface Transfers {
  /**
   * Takes what the service shows of the items. Its word alone says that a file whose request was lost is lacking.
   * @returns whether it tells something new
   */
  hear(shown: SubmissionRecord): Promise<boolean>;
  /** Whether a file is to be sent now. */
  isDue(): boolean;
  /** Sends what is due, a few at a time. Answers whether one has arrived or was refused for good. */
  send(): Promise<boolean>;
  /** Of how many files it is not known if they have arrived. */
  undecided(): number;
  /** Whether one look has said that a file is lacking, and another has to say it too. */
  isSuspected(): boolean;
  /** Takes what a refused completion names as lacking. Answers whether a file is to be sent again for that. */
  name(refusal: ArtworkError): boolean;
  /** Why no file can be sent any more by this run; null: nothing hinders it. */
  hindrance(): ArtworkError | null;
}

interface FileOnItsWay {
  readonly item: DeclaredItem;
  readonly file: DeclaredFile;
  state: ItemState;
  /** The status that the service gave it before anything of it was sent. */
  untouched: string | null;
  /** Since when the looks say that it is lacking, by the clock that only grows; null: the last one does not. */
  lackingSince: number | null;
  /** Since when each refused completion names it, by the same clock; null: the last one does not. */
  namedSince: number | null;
  /** It is lacking for sure. */
  isLacking: boolean;
  sends: number;
}

export async function createTransfers(
  run: Run<Submission>,
  wire: Wire,
  submissionId: SubmissionId,
): Promise<Transfers> {
  const { change, ledger, lease, ports } = run;
  const known = new Map((await ledger.items(lease, lease.id)).map((one) => [one.item, one]));
  const files = change.items.flatMap((item): FileOnItsWay[] => {
    if (item.file === null) return [];
    const { state = 'fresh', untouched = null } = known.get(item.itemId) ?? {};
    return [
      {
        item,
        file: item.file,
        state,
        untouched,
        lackingSince: null,
        namedSince: null,
        isLacking: false,
        sends: 0,
      },
    ];
  });
  const byId = new Map(files.map((one) => [one.item.itemId.toLowerCase(), one]));
  const totalBytes = files.reduce((sum, { file }) => sum + file.contentLength, 0);
  let hindrance: ArtworkError | null = null;

  const note = (notes: readonly ItemNote[]): Promise<void> =>
    notes.length === 0 ? Promise.resolve() : persist(run, () => ledger.noteItems(lease, notes));
  const noteOf = ({ item, state, untouched }: FileOnItsWay, error?: ArtworkError): ItemNote => ({
    item: item.itemId,
    state,
    ...(untouched === null ? {} : { untouched }),
    ...(error === undefined ? {} : { error: keptErrorOf(error) }),
  });
  const isDue = (one: FileOnItsWay) =>
    one.state === 'fresh' || (one.state === 'lost' && one.isLacking && one.sends < mostSends);
  const tell = () => {
    const there = files.filter(({ state }) => state === 'arrived');
    const bytes = there.reduce((sum, { file }) => sum + file.contentLength, 0);
    run.progress(bytes, totalBytes, `${there.length} of ${files.length} files`);
  };

  /** Sends one file that is noted as lost. Answers what is to be noted of it then. */
  const transfer = async (one: FileOnItsWay, wasFresh: boolean): Promise<ItemNote | null> => {
    one.sends += 1;
    one.isLacking = false;
    one.lackingSince = null;
    one.namedSince = null;
    const request = uploadItem(change.kind, submissionId, one.item.itemId, one.file);
    const opened = await openCopy(one);
    if (opened === null) return backTo(one, wasFresh);
    try {
      const answer = await wire.sendOne((token) => sendable(request, token, opened.body(run.leaseSignal)));
      if ('error' in answer) run.error = answer.error;
      if (isForPerson(answer) && 'error' in answer) hindrance ??= answer.error;
      switch (answer.is) {
        case 'applied': {
          const named = itemIdOfReceipt(answer.body);
          if (named !== null && !isSameId(named, one.item.itemId)) return null;
          one.state = 'arrived';
          return noteOf(one);
        }
        case 'refused':
          // A conflict may be one with itself, brought twice; any other no is not this file's own matter.
          if (refusalOf(answer.error) !== 'refused') return null;
          one.state = 'refused';
          return noteOf(one, answer.error);
        case 'unsent':
          return backTo(one, wasFresh);
        // An earlier request of it may still be under way: that this one was answered is not written down.
        case 'turned away':
        case 'lost':
          return null;
      }
    } finally {
      await opened.close();
    }
  };

  const openCopy = async ({ file }: FileOnItsWay) => {
    try {
      if (run.body.keeper === null) throw new ArtworkError('upload_refused', 'No copy of its files is kept.');
      return await ports.copies.open(run.body.keeper, file, run.signal);
    } catch (error) {
      if (!(error instanceof ArtworkError)) throw error;
      hindrance ??= error;
      return null;
    }
  };

  /** Nothing of this request has left. */
  const backTo = (one: FileOnItsWay, wasFresh: boolean): ItemNote | null => {
    if (!wasFresh) return null;
    one.state = 'fresh';
    return noteOf(one);
  };

  return {
    isDue: () => files.some(isDue),
    undecided: () => files.filter(({ state }) => state === 'lost').length,
    isSuspected: () => files.some(({ state, lackingSince }) => state === 'lost' && lackingSince !== null),
    hindrance: () => hindrance,

    async hear(shown) {
      const now = ports.clock.monotonic();
      const notes: ItemNote[] = [];
      const items = shown.items.flatMap((item) => {
        const one = item.itemId === null ? undefined : byId.get(item.itemId.toLowerCase());
        return one === undefined ? [] : [{ item, one }];
      });
      for (const { item, one } of items) {
        if (one.state !== 'fresh' || one.untouched !== null || item.status === null) continue;
        one.untouched = item.status;
        notes.push(noteOf(one));
      }
      const words = new Set(files.flatMap(({ untouched }) => untouched ?? []));
      for (const { item, one } of items) {
        const isEnded = item.state === 'succeeded' || item.state === 'failed';
        if (one.state !== 'lost' && !(one.state === 'fresh' && isEnded)) continue;
        switch (judge(item, words)) {
          case 'arrived':
            one.state = 'arrived';
            notes.push(noteOf(one));
            break;
          case 'lacking':
            one.lackingSince ??= now;
            if (now - one.lackingSince >= betweenLooksMs) one.isLacking = true;
            break;
          case 'untold':
            one.lackingSince = null;
        }
      }
      await note(notes);
      return notes.some(({ state }) => state === 'arrived');
    },

    async send() {
      const queue = files.filter(isDue);
      let failures = 0;
      let isNews = false;
      const worker = async () => {
        let ended: ItemNote | null = null;
        for (;;) {
          const isOver = hindrance !== null || failures >= mostFailures || run.signal.aborted;
          const next: FileOnItsWay | undefined = isOver ? undefined : queue.shift();
          const wasFresh = next?.state === 'fresh';
          if (next !== undefined) next.state = 'lost';
          // What has arrived and what leaves next are one write; it is on the disk before the request leaves.
          await note([...(ended === null ? [] : [ended]), ...(next === undefined ? [] : [noteOf(next)])]);
          if (next === undefined) return;
          ended = await transfer(next, wasFresh);
          const isOut = next.state === 'arrived' || next.state === 'refused';
          failures = isOut ? 0 : failures + 1;
          isNews ||= isOut;
          tell();
        }
      };
      const workers = await Promise.allSettled(Array.from({ length: transfersAtOnce }, worker));
      const failure = workers.find((one) => one.status === 'rejected');
      if (failure !== undefined) throw failure.reason;
      return isNews;
    },

    name(refusal) {
      const now = ports.clock.monotonic();
      // A service that also names what it has acknowledged does not name what it lacks.
      const isTelling = !files.some(({ item, state }) => state === 'arrived' && names(refusal, item.itemId));
      for (const one of files) {
        if (one.state !== 'lost' || !isTelling || !names(refusal, one.item.itemId)) one.namedSince = null;
        else one.namedSince ??= now;
        if (one.namedSince !== null && now - one.namedSince >= namedMs) one.isLacking = true;
      }
      return files.some(isDue);
    },
  };
}

/**
 * What an item's status says of a file whose request was lost.
 * @param words that the service has for files of which it has nothing: the document does not say which they are
 */
function judge(
  { state, status }: SubmissionItem,
  words: ReadonlySet<string>,
): 'arrived' | 'lacking' | 'untold' {
  // Failed is an outcome of the file too: it is there, and will not be taken.
  if (state === 'succeeded' || state === 'failed') return 'arrived';
  if (words.size === 0 || status === null) return 'untold';
  if (!words.has(status)) return 'arrived';
  // The document lets an item be called `processing` until completion: then it was called so with no bytes at all.
  return state === 'processing' ? 'untold' : 'lacking';
}

/** Whether an error names an item: in its issues' paths, or in its details. */
function names({ issues, details }: ArtworkError, itemId: string): boolean {
  const id = itemId.toLowerCase();
  if ((issues ?? []).some(({ path }) => path.some((step) => step.toLowerCase() === id))) return true;
  return details !== undefined && JSON.stringify(details).toLowerCase().includes(`"${id}"`);
}
