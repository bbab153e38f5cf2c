import type { Owned } from '../catalogue/owned.ts';
import type { SendOutcome, SendRequest } from '../catalogue/send.ts';
import type { Clock } from '../clock.ts';
import type { Connections } from '../connection/connections.ts';
import type { Deadline } from '../deadline.ts';
import type { StreamBody } from '../http/exchange.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Log } from '../log.ts';
import type { NamedCatalogue } from '../model/target-names.ts';
import type { TellProgress } from './caller.ts';
import type { DeclaredFile } from './change.ts';
import type { Warning } from './receipt.ts';

/** The catalogue that is acted on. */
export interface Service {
  /** `{base_url}` without a trailing slash. */
  readonly baseUrl: string;
  /** Whether it is the embedded one, where nothing is published. */
  readonly embedded: boolean;
}

/** A file that was read whole, and what is announced of it. */
export interface ReadFile extends DeclaredFile {
  /** What a person would want to know before it is sent: an odd ratio, a name that was changed. */
  readonly warnings: readonly Warning[];
}

/** One that stays open behind one descriptor until it is closed. */
export interface UploadSource extends ReadFile {
  /** Where it lies, without links. */
  readonly path: string;
  /** A new body for one request; its last chunk leaves only once the whole has the digest. */
  body(signal: AbortSignal): Buffer | StreamBody;
  /** Harmless when repeated. */
  close(): Promise<void>;
}

export interface OpenedFor {
  readonly slot: string;
  /** Folders that the host offers, beside those of the settings. */
  readonly roots: readonly string[];
  /** Digest of bytes that were decoded before: the same need not be decoded again, and bring no warnings. */
  readonly known?: string | undefined;
  /** The frame that is to be chosen for its preview, from 0. */
  readonly frame?: number | null | undefined;
  readonly signal: AbortSignal;
  readonly progress: TellProgress;
}

export interface UploadFiles {
  /** @throws ArtworkError `invalid_arguments`, `upload_refused`, `cancelled` */
  open(file: string, how: OpenedFor): Promise<UploadSource>;
  /** The same, and closes it. */
  read(file: string, how: OpenedFor): Promise<ReadFile>;
}

/** The bytes of a file, known by their digest. */
export type Bytes = Pick<DeclaredFile, 'sha256' | 'contentLength'>;

/**
 * Private copies of the files of submissions, on this machine, until they are not needed any more. An owner is
 * the name under which one call keeps its files.
 */
export interface Copies {
  /** The machine's name, for people. */
  readonly machine: string;
  /** A name under which nothing is kept. */
  newOwner(): string;
  /**
   * Reads a file of an open folder as `UploadFiles.read` does, and keeps a copy of its bytes in the same pass.
   * @throws ArtworkError what `read` throws; `internal` of the disk (`store_full`)
   */
  keep(owner: string, file: string, how: OpenedFor): Promise<ReadFile>;
  /** All that was kept for an owner is on the disk when it resolves. @throws ArtworkError `internal` of the disk */
  sync(owner: string): Promise<void>;
  /** Those of `files` that are not there. */
  missing<File extends Bytes>(owner: string, files: readonly File[]): Promise<readonly File[]>;
  /** @throws ArtworkError `upload_refused` where the copy is gone or damaged; `cancelled` */
  open(
    owner: string,
    file: Bytes & Pick<DeclaredFile, 'filename'>,
    signal: AbortSignal,
  ): Promise<Pick<UploadSource, 'body' | 'close'>>;
  /** Frees what is kept under a name; harmless when there is nothing. */
  release(owner: string): Promise<void>;
  /** Frees what is not needed and was not touched for a day. @param isNeeded asked by the owner's name on the disk */
  sweep(isNeeded: (name: string) => Promise<boolean>): Promise<void>;
}

/** What changes read of the service, for their guards and to learn what became of one. */
export type OwnedReads = Pick<
  Owned,
  | 'readAsset'
  | 'readSet'
  | 'readGroup'
  | 'readRelationships'
  | 'findAssetUpload'
  | 'findUploadDestinations'
  | 'findSubmission'
>;

/** What changes read of the public catalogue, before anything is claimed; trouble there stops none of them. */
export type PublicReads = Pick<NamedCatalogue, 'readEntity' | 'nameOf'>;

/** All that changes touch of the world, so that they can be run under another clock, store and service. */
export interface MutationPorts {
  /** Asked by every call: which catalogue it is; the embedded one may have to be started first. */
  service(): Promise<Service>;
  /** `ARTWORK_USER`. */
  readonly user: string;
  /** Asked by every call; opens it once. */
  ledger(): Promise<Ledger>;
  readonly connections: Pick<Connections, 'account' | 'bearer' | 'onUnauthorized'>;
  readonly owned: OwnedReads;
  readonly catalogue: PublicReads;
  /** Sends a request once and says what became of it; never rejects. */
  send(request: SendRequest, deadline: Deadline): Promise<SendOutcome>;
  readonly files: UploadFiles;
  readonly copies: Copies;
  /** All that waits goes through it. */
  readonly clock: Clock;
  readonly log: Log;
}
