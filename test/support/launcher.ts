// Does what a server does when it first needs the catalogue: `launcher.js HOME`, once a line comes on stdin.
// It ends by itself, unless what it started keeps it.
import { once } from 'node:events';

// As the server does: whatever needs no catalogue starts without this.
const { ensureSandbox } = await import('../../src/sandbox/launch.ts');
const [home = ''] = process.argv.slice(2);
process.stdout.write('loaded\n');
await once(process.stdin, 'data');
process.stdin.destroy();
const running = await ensureSandbox({ home, idleSeconds: 60 });
process.stdout.write(`${JSON.stringify(running)}\n`);
