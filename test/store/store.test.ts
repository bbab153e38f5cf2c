import { memoryStore } from '../support/memory-store.ts';
import { storeContract } from './store.contract.ts';

const store = memoryStore();

storeContract('SQLite', () => store);
