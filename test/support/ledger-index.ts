import { ledgerIndex } from '../../src/ledger/entry-store.ts';
import { keywordsOf } from '../../src/mutations/before/keywords.ts';

/** The index of the store, as the program has it. */
export const indexOf = ledgerIndex(keywordsOf);
