import type { ArtworkError } from '../errors.ts';
import type { ServiceVerdict } from '../ledger/entry.ts';
import type { StoredReceipt } from './stored-receipt.ts';

/** What the service shows of a mutation whose outcome is not known. */
export type Finding =
  | {
      readonly found: 'ended';
      readonly outcome: ServiceVerdict;
      readonly kept: StoredReceipt;
      readonly error?: ArtworkError | undefined;
    }
  /** The service has it and works on it. */
  | { readonly found: 'working'; readonly kept: StoredReceipt }
  /** `final`: no later look can tell more. */
  | {
      readonly found: 'nothing';
      readonly by: 'lookup' | 'read_back';
      readonly says: string;
      readonly final: boolean;
      /** A hint that settles nothing; left out: there is none. */
      readonly certainty?: 'likely' | undefined;
    };
