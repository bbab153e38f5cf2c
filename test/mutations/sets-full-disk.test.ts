import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createBlobFiles } from '../../src/mutations/kept-files.ts';
import type { BlobFiles } from '../../src/mutations/ports.ts';
import { temporaryFolder } from '../support/temporary.ts';
import type { Artist } from './artist.ts';
import { create, creationOf } from './show.ts';
import { openStudio } from './studio.ts';
import { told } from './told.ts';
import { wiretap } from './wiretap.ts';

const { artist: plain } = await openStudio();

/** A disk of this size, and an artist whose kept bytes lie on it. */
async function withDisk(
  skip: (why: string) => void,
  size: string,
  work: (disk: string, another: (change: Change) => Promise<Artist>) => Promise<void>,
) {
  const folder = await temporaryFolder();
  const disk = folder.path;
  const artists: Artist[] = [];
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0700`, 'tmpfs', disk], {
      stdio: 'ignore',
    });
  } catch {
    await folder.remove();
    skip('a small file system can not be mounted here');
    return;
  }
  try {
    await work(disk, async (change) => {
      const kept = change(createBlobFiles(disk, async () => 'store'));
      const wire = wiretap();
      const artist = await plain.another({ ports: (ports) => wire.ports({ ...ports, blobs: kept }) });
      artists.push(artist);
      return artist;
    });
  } finally {
    for (const artist of artists) await artist.leave();
    execFileSync('umount', ['-l', disk]);
    await folder.remove();
  }
}

type Change = (kept: BlobFiles) => BlobFiles;

const full = { outcome: 'not_sent', category: 'internal', code: 'store_full' };
const copies = (disk: string) =>
  readdirSync(disk, { recursive: true }).filter((name) => /[0-9a-f]{64}$/.test(String(name)));

describe('a disk that is full while bytes are kept', () => {
  it('is noticed before the first copy; nothing is claimed, and later the same call is made', async ({
    skip,
  }) => {
    await withDisk(skip, '8m', async (disk, another) => {
      const artist = await another((kept) => kept);
      const args = await creationOf(artist, 4);
      expect(await create(artist, args)).toMatchObject({
        ...full,
        next: { why: expect.any(String) },
      });
      expect(copies(disk)).toEqual([]);
      expect(await told(artist.mutations.status(args.clientMutationId))).toMatchObject({
        category: 'internal',
      });
      execFileSync('mount', ['-o', 'remount,size=64m', disk]);
      expect(await create(artist, args)).toMatchObject({
        outcome: 'succeeded',
      });
    });
  });
});
