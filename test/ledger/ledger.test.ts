import { memoryStore } from '../support/memory-store.ts';
import { ledgerContract } from './ledger.contract.ts';

const store = memoryStore();

ledgerContract('SQLite', () => store);
