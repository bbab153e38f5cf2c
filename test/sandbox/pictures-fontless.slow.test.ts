import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { drawPicture } from '../../src/sandbox/pictures/draw.ts';
import { bundle } from '../support/bundle.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { logoRequests } from './pictures-fontless-process.ts';

it('draws the same letters on a machine that has no fonts and no font configuration', async () => {
  const folder = await temporaryFolder();
  const built = await bundle({ draw: 'test/sandbox/pictures-fontless-process.ts' });
  try {
    const configuration = path.join(folder.path, 'fonts.conf');
    await writeFile(configuration, '<?xml version="1.0"?><fontconfig></fontconfig>');
    const child = spawn(process.execPath, [built.program('draw'), folder.path], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, FONTCONFIG_FILE: configuration, HOME: folder.path, XDG_DATA_HOME: folder.path },
    });
    const [code] = await once(child, 'close');
    expect(code).toBe(0);
    for (const [index, request] of logoRequests.entries()) {
      const there = await readFile(path.join(folder.path, `${index}.png`));
      const here = await drawPicture(request);
      const other = await drawPicture({ ...request, title: 'Different' });
      // Smoothing and hinting are a matter of configuration, the letters are not.
      expect(await distance(there, here), request.title).toBeLessThan(0.2 * (await distance(other, here)));
    }
  } finally {
    await built.remove();
    await folder.remove();
  }
});

async function distance(first: Buffer, second: Buffer): Promise<number> {
  const [one, other] = await Promise.all(
    [first, second].map((bytes) =>
      sharp(bytes).extractChannel('alpha').resize(100, 39, { fit: 'fill' }).raw().toBuffer(),
    ),
  );
  if (one === undefined || other === undefined) throw new Error('There are two pictures.');
  return one.reduce((sum, value, at) => sum + Math.abs(value - (other[at] ?? 0)), 0);
}
