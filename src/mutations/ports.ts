import type { Call } from '../catalogue/call-time.ts';
import type { Fate } from '../catalogue/fate.ts';
import type { Owned } from '../catalogue/owned/owned.ts';
import type { SendRequest } from '../catalogue/send.ts';
import type { StreamBody } from '../catalogue/stream-body.ts';
import type { Connections } from '../connections/connections.ts';
import type { Clock } from '../connections/ports.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Log } from '../log.ts';
import type { Warning } from './result.ts';

/** The catalogue that is acted on. */
export interface Service {
  /** `{base_url}` without a trailing slash. */
  readonly baseUrl: string;
  /** Whether it is the embedded one, where nothing is published. */
  readonly embedded: boolean;
}

/** A file that stays open behind one descriptor until it is closed. */
export interface UploadSource {
  /** Where it lies, without links. */
  readonly path: string;
  /** As it is declared: fit for a header. */
  readonly filename: string;
  /** Media type by content. */
  readonly contentType: string;
  /** Bytes. */
  readonly contentLength: number;
  /** 64 lowercase hexadecimal digits. */
  readonly sha256: string;
  /** What a person would want to know before it is sent: an odd ratio, a name that was changed. */
  readonly warnings: readonly Warning[];
  /** A new body for one request; its last chunk leaves only once the whole has the digest. */
  body(signal: AbortSignal): Buffer | StreamBody;
  close(): Promise<void>;
}

export interface OpenedFor {
  readonly slot: string;
  /** Folders that the host offers, beside those of the settings. */
  readonly roots: readonly string[];
  /** The most bytes that the service has said it takes; null where it has not. */
  readonly maxBytes: number | null;
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number | null, message: string) => void;
}

export interface UploadFiles {
  /** @throws ArtworkError `invalid_arguments`, `upload_refused`, `cancelled` */
  open(file: string, how: OpenedFor): Promise<UploadSource>;
}

/** What mutations read of the service, for the guard and to learn what became of one. */
export type OwnedReads = Pick<
  Owned,
  'readAsset' | 'readSet' | 'readGroup' | 'readRelationships' | 'findAssetUpload' | 'findUploadDestinations'
>;

/** All that mutations touch of the world, so that they can be run under another clock, store and service. */
export interface MutationPorts {
  /** Asked by every call: which catalogue it is; the embedded one may have to be started first. */
  service(): Promise<Service>;
  /** `ARTWORK_USER`. */
  readonly user: string;
  /** Asked by every call; opens it once. */
  ledger(): Promise<Ledger>;
  readonly connections: Pick<Connections, 'account' | 'bearer' | 'onUnauthorized'>;
  readonly owned: OwnedReads;
  /** Sends a request once and says what became of it; never rejects. */
  send(request: SendRequest, call: Call): Promise<Fate>;
  readonly files: UploadFiles;
  readonly clock: Clock;
  readonly log: Log;
}
