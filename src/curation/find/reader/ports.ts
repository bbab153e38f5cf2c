import type { Catalogue } from '../../../catalogue/client.ts';
import type { Clock } from '../../../clock.ts';
import type { Log } from '../../../log.ts';
import type { LeaseJudge } from '../../../store/lease.ts';
import type { TitleIndex } from '../title-index.ts';

/** What reads the catalogue on its own works with. */
export interface ReaderPorts {
  readonly index: ReaderIndex;
  /** Of its own: it sends each request once, since how often and when is the reader's to say. */
  readonly catalogue: Pick<Catalogue, 'readEntity' | 'readEpisodesPage' | 'readFeedPage'>;
  /** The catalogue is a process of this program on this machine: no pace is kept. */
  readonly isOurs: boolean;
  /** Kept from one reading of this process to the next: what it has seen of other processes counts. */
  readonly judge: LeaseJudge;
  readonly clock: Clock;
  readonly log: Log;
}

export type ReaderIndex = Omit<TitleIndex, 'search' | 'find' | 'idsFrom' | 'seen' | 'rebuilt' | 'close'>;
