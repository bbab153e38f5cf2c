import type { AtomicStore } from './atomic-store.ts';
import type { RecordStore } from './records.ts';

/** Where everything lies. */
export interface Engine {
  /** For people, without a secret. */
  readonly place: string;
  readonly atomic: AtomicStore;
  records(namespace: string): RecordStore;
  close(): void;
}
