import { ledgerIndex } from '../../src/ledger/entry-store.ts';
import { keywordsOf } from '../../src/mutations/before-claim/keywords.ts';

/** The index of the store, as the program has it. */
export const indexOf = ledgerIndex(keywordsOf);
