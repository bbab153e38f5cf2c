import type { Call, Catalogue } from '../../catalogue/client.ts';
import type { Log } from '../../log.ts';
import type { TitleIndex } from '../titles/title-index.ts';

/** What reads the catalogue on its own works with. */
export interface FillerPorts {
  readonly index: FillerIndex;
  /** Of its own: it shares no connection with the tools, and sends each request once. */
  readonly catalogue: Pick<Catalogue, 'readEntity' | 'readSet' | 'readEpisodesPage' | 'readFeedPage'>;
  /** The catalogue is a process of this program on this machine. */
  readonly isOurs: boolean;
  /** What the connected account owns; null where this process can't sign in for anybody. */
  readonly own: FillerOwnReads | null;
  /** `ARTWORK_USER` */
  readonly user: string;
  readonly self: FillerSelf;
  readonly clock: FillerClock;
  readonly log: Log;
}

export type FillerIndex = Omit<TitleIndex, 'search' | 'idsFrom' | 'seen' | 'rebuilt' | 'close'>;

/** Who holds the lease, to other processes of this machine. */
export interface FillerSelf {
  /** Names this process, and this reading of it. */
  readonly holder: string;
  /** Whether the process of this name has surely ended. */
  hasEnded(holder: string): Promise<boolean>;
}

export interface FillerClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Ends early when the signal is aborted; never rejects. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** Protected reads, whose records the index learns as those of any other call. */
export interface FillerOwnReads {
  /** Whether they can be made now, with no sign-in and no renewal of one. */
  ready(): Promise<boolean>;
  /** One request each (interface document, Endpoints: Protected reads). */
  readonly destinations: readonly ((call: Call) => Promise<unknown>)[];
  /** Assets that were uploaded from this machine since a moment (ms; null: ever). Sends nothing. */
  uploads(since: number | null): Promise<readonly string[]>;
  readAsset(id: string, call: Call): Promise<unknown>;
}
