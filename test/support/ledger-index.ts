import { ledgerIndex } from '../../src/ledger/index.ts';
import { keywordsOf } from '../../src/mutations/keywords.ts';

/** The index of the store, as the program has it. */
export const indexOf = ledgerIndex(keywordsOf);
