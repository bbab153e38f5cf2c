// Loaded into a server by `--import`: breaks what new_mutation_ids rests on, as a defect of the server would.
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

crypto.randomUUID = () => {
  throw new RangeError('a secret that no answer may tell');
};
syncBuiltinESMExports();
