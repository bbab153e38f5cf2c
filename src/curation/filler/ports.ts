import type { Catalogue } from '../../catalogue/client.ts';
import type { Log } from '../../log.ts';
import type { TitleIndex } from '../titles/title-index.ts';

/** What reads the catalogue on its own works with. */
export interface FillerPorts {
  readonly index: FillerIndex;
  /** Of its own: it sends each request once, since how often and when is the reader's to say. */
  readonly catalogue: Pick<Catalogue, 'readEntity' | 'readSet' | 'readEpisodesPage' | 'readFeedPage'>;
  /** The catalogue is a process of this program on this machine: no pace is kept. */
  readonly isOurs: boolean;
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
