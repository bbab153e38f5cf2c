// The whole embedded catalogue over a data folder that another process may have open too: prints its base
// URL, and ends with its stdin.
import { catalogueMounts } from '../../src/sandbox/mounts.ts';
import { serveSandbox } from '../../src/sandbox/serve.ts';

const [dataDir = ''] = process.argv.slice(2);
const sandbox = await serveSandbox({ dataDir, port: 0, mounts: catalogueMounts() });
process.stdout.write(`${sandbox.baseUrl}\n`);
process.stdin.resume().once('end', () => {
  void sandbox.close().then(() => process.exit(0));
});
