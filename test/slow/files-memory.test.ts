import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { bundle } from '../support/bundle.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { startReceiver } from '../files/receiver.ts';

const said = z.object({ outcome: z.string(), sha256: z.string(), mostMb: z.number() });
const megabyte = 1_000_000;

it('memory stays flat for a file of 200 MB, and for many of 20 MB', async () => {
  const folder = await temporaryFolder();
  const receiver = await startReceiver();
  const built = await bundle({ sender: 'test/files/sender.ts' });
  const child = spawn(process.execPath, [built.program('sender'), receiver.origin, folder.path], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  onTestFinished(async () => {
    child.stdin.end();
    await exit;
    await built.remove();
    await folder.remove();
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const send = async (name: string, bytes: number) => {
    const file = path.join(folder.path, name);
    writeFileSync(file, name);
    truncateSync(file, bytes);
    child.stdin.write(`${file}\n`);
    return said.parse(JSON.parse((await lines.next()).value ?? 'null'));
  };
  const first = await send('first.png', megabyte);
  const large = await send('large.png', 200 * megabyte);
  expect(large.mostMb - first.mostMb).toBeLessThan(80);
  const sendMany = async (from: number, to: number) => {
    let mostMb = 0;
    for (let number = from; number < to; number += 1) {
      ({ mostMb } = await send(`${number}.png`, 20 * megabyte));
    }
    return mostMb;
  };
  // The first ones find out how much the collector lets lie; what is held on to would show with the others.
  const few = await sendMany(0, 5);
  expect((await sendMany(5, 20)) - few).toBeLessThan(80);
  expect(receiver.received.map(({ bytes, whole }) => ({ bytes, whole }))).toEqual([
    { bytes: megabyte, whole: true },
    { bytes: 200 * megabyte, whole: true },
    ...Array.from({ length: 20 }, () => ({ bytes: 20 * megabyte, whole: true })),
  ]);
  expect(receiver.received[1]?.sha256).toBe(large.sha256);
});
