// Loaded into the server by `--import`: writes each message of the protocol to ARTWORK_TEST_FRAMES.
import { appendFileSync } from 'node:fs';

const file = process.env.ARTWORK_TEST_FRAMES ?? '';
const note = (what) => appendFileSync(file, `${JSON.stringify({ pid: process.pid, ...what })}\n`);

/** Passes on whole lines, whatever pieces they come in. */
function lines(take) {
  let rest = '';
  return (chunk) => {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) if (part.trim() !== '') take(part);
  };
}

const fromHost = lines((line) => note({ from: 'host', line }));
const fromServer = lines((line) => note({ from: 'server', line }));

/** Hides the newer era from a host that knows both: its question after it is answered as an older server would. */
const asOlder = (chunk) => Buffer.from(String(chunk).replaceAll('"server/discover"', '"server/unheard-of"'));

const emit = process.stdin.emit.bind(process.stdin);
process.stdin.emit = (event, ...args) => {
  if (event !== 'data') return emit(event, ...args);
  fromHost(String(args[0]));
  const [chunk] = args;
  return emit(event, process.env.ARTWORK_TEST_ERA === 'older' ? asOlder(chunk) : chunk);
};
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = (chunk, ...args) => {
  fromServer(String(chunk));
  return write(chunk, ...args);
};
note({});
