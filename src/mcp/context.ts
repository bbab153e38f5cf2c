import type { Owned } from '../catalogue/owned.ts';
import type { Connections } from '../connection/connections.ts';
import type { PendingSignIn } from '../connection/pending-sign-in.ts';
import type { TitleIndex } from '../curation/find/title-index.ts';
import type { OwnRecords, OwnState } from '../curation/own.ts';
import type { PictureLabel } from '../curation/show/found.ts';
import type { Deadline } from '../deadline.ts';
import type { NamedCatalogue } from '../model/target-names.ts';
import type { Mutations } from '../mutations/mutations.ts';
import type { Settings } from '../settings.ts';
import type { Marks } from '../store/kv.ts';

/** What the composition root wires once for all calls. */
export interface Parts {
  readonly settings: Settings;
  readonly catalogue: NamedCatalogue;
  /** Opens the store at its first use; what can't be opened is that call's error. */
  account(): Promise<AccountParts>;
  /** What several processes of this machine contend for; it opens as `account` does, and needs no account. */
  store(): Promise<Marks>;
  /** Whether there is a store yet. If not, no account was ever connected, and no change was made. */
  hasStore(): boolean;
  readonly titles: Titles;
}

/** Everything that was read so far, to be found by name: by public reads, and for the account that is connected. */
export interface Titles {
  /** `ARTWORK_INDEX` */
  readonly mode: Settings['index'];
  /** The catalogue is a process of this program, so that all of it is read within seconds. */
  readonly isReadAtOnce: boolean;
  /** Opens the file at its first use; what can't be opened is that call's error. Holds all that was read before. */
  index(): Promise<Pick<TitleIndex, 'search' | 'seen'>>;
  /** Resolves once what was read until now is written; never rejects. */
  settled(): Promise<void>;
  /** Has the catalogue read for it from now on, where the settings allow that and something is lacking. Takes no time. */
  fill(): void;
  /** Whether the catalogue is being read for it, or could not be read the last time. */
  filling(): 'idle' | 'reading' | 'failed';
}

/** What acts for the connected account, and what is kept for the user. */
export interface AccountParts {
  readonly connections: Connections;
  readonly signIns: PendingSignIn;
  readonly owned: Owned;
  readonly mutations: Mutations;
  /** The account that is connected, as what is kept for it is told from others'; null: none is. */
  account(): Promise<string | null>;
  /** What this side keeps for this account of the user, apart from what others keep there. */
  records(namespace: string): Promise<OwnRecords>;
  /** What the processes of this account change together. */
  state(name: string): Promise<OwnState>;
}

/** What one call of a tool has at hand. */
export interface Context extends Parts {
  /** Aborted when the host cancels the call or the server ends. */
  readonly signal: AbortSignal;
  /** Until when the call has to answer; its signal is the one above. */
  readonly deadline: Deadline;
  /** Tells the host how far the call is, where the host asked for it. */
  progress(done: number, total: number | null, message: string): Promise<void>;
  /** What answers of this process have called the pictures that they show. */
  readonly shownPictures: ReturnType<typeof createShownPictures>;
  /**
   * `file:` URIs of the folders that the host offers; none where it does not say. A tool asks before it changes anything:
   * a host of 2026-07-28 tells them with the same call, made again.
   */
  roots(): Promise<readonly string[]>;
}

/** What the protocol hands over with a call. */
export type CallEnvironment = Pick<Context, 'signal' | 'progress' | 'roots'>;

/** Pictures whose names are kept, and records whose pictures are yet to be named. */
const mostNamed = 20_000;
const mostWaiting = 50;

/**
 * What the pictures of the records that answers have shown are called, by their paths: a later call may name one by its
 * path alone. The names are worked out for such a call only.
 */
export function createShownPictures() {
  const named = new Map<string, PictureLabel>();
  const waiting: (() => ReadonlyMap<string, PictureLabel>)[] = [];
  return {
    learn(labels: () => ReadonlyMap<string, PictureLabel>): void {
      waiting.push(labels);
      if (waiting.length > mostWaiting) waiting.shift();
    },
    labelOf(path: string): PictureLabel | null {
      for (const labels of waiting.splice(0)) for (const [at, label] of labels()) named.set(at, label);
      if (named.size > mostNamed) named.clear();
      return named.get(path) ?? null;
    },
  };
}
