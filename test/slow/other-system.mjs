// Loaded into the program by `--import`: it takes this machine for one of the system in ARTWORK_TEST_SYSTEM. Node and
// native packages don't: they are this machine's. The folder that it runs in is its HOME: there a path of Windows is a
// name like any other, so that what lies under such names can be opened.
import { homedir } from 'node:os';

const { platform } = process;
Object.defineProperty(process, 'platform', {
  get() {
    const [, , asker = ''] = (new Error().stack ?? '').split('\n');
    return /[\\/]dist[\\/]/.test(asker) && !asker.includes('node_modules')
      ? process.env.ARTWORK_TEST_SYSTEM
      : platform;
  },
});
process.chdir(homedir());

// No other system has Ctrl+Break.
if (process.env.ARTWORK_TEST_SYSTEM === 'win32')
  process.on('SIGUSR2', () => process.emit('SIGBREAK', 'SIGBREAK'));
