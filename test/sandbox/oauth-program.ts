// A catalogue with its authorization side, for tests of the program as it is built. Says where it is.
import { authorizationMount } from '../../src/sandbox/account/authorization.ts';
import { serveSandbox } from '../../src/sandbox/serve.ts';

const [dataDir = ''] = process.argv.slice(2);
const { baseUrl } = await serveSandbox({ dataDir, port: 0, mounts: [authorizationMount()] });
process.stdout.write(`${baseUrl}\n`);
