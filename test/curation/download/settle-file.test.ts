import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { giveFileName } from '../../../src/curation/download/place-file.ts';
import {
  createWrittenFiles,
  type Settled,
  settleFile,
  settleText,
  type Written,
  type WrittenFiles,
} from '../../../src/curation/download/settle-file.ts';
import { sweepFolder } from '../../../src/store/sweep.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { temporaryFolder } from '../../support/temporary.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let record: WrittenFiles;
let fetched: string[];

beforeEach(async () => {
  folder = await temporaryFolder();
  record = createWrittenFiles((await memoryStore()).marks);
  fetched = [];
});

afterEach(async () => {
  await folder.remove();
});

interface Source {
  readonly ref: string;
  readonly extension?: string;
  readonly bytes?: string;
}

function settle({ ref, extension = 'jpg', bytes = ref }: Source, dryRun = false): Promise<Settled> {
  const source = { service: 'https://catalogue.example', ref, set: 'show_set 12', setUpdated: null };
  const isSameSource = (before: Written) => before.ref === ref;
  const content = async () => {
    fetched.push(ref);
    return { bytes: Buffer.from(bytes), extension };
  };
  return settleFile({ folder: entered(), stem: 'poster', source, isSameSource, content }, record, dryRun);
}

/** A folder that stays what it is. */
const entered = () => ({ path: folder.path, requireInRoot: async () => {} });

const read = (name: string) => readFile(path.join(folder.path, name), 'utf8');

describe('a file of this program', () => {
  it('is written once, and not fetched again', async () => {
    expect(await settle({ ref: 'a' })).toEqual({ state: 'written', name: 'poster.jpg', bytes: 1 });
    expect(await settle({ ref: 'a' })).toEqual({ state: 'present', name: 'poster.jpg' });
    expect(fetched).toEqual(['a']);
    expect(await readdir(folder.path)).toEqual(['poster.jpg']);
  });

  it('is replaced by another picture, also where that has another extension', async () => {
    await settle({ ref: 'a' });
    expect(await settle({ ref: 'b' })).toMatchObject({ state: 'replaced', name: 'poster.jpg' });
    expect(await settle({ ref: 'c', extension: 'png' })).toMatchObject({
      state: 'replaced',
      name: 'poster.png',
    });
    expect(await readdir(folder.path)).toEqual(['poster.png']);
    expect(await read('poster.png')).toBe('c');
  });

  it('is left alone once somebody has changed it, and fetched for nothing', async () => {
    await settle({ ref: 'a' });
    await writeFile(path.join(folder.path, 'poster.jpg'), 'mine now');
    for (const ref of ['a', 'b']) {
      expect(await settle({ ref })).toEqual({ state: 'left_alone', name: 'poster.jpg', changed: true });
    }
    expect(await read('poster.jpg')).toBe('mine now');
    expect(fetched).toEqual(['a']);
  });

  it('is known again where a process was killed before or after the file got its name', async () => {
    const sha256 = createHash('sha256').update('a').digest('hex');
    const note = {
      ...{ sha256, ref: 'a', service: 'https://catalogue.example' },
      ...{ set: 'show_set 12', setUpdated: null },
    };
    await record.note(path.join(folder.path, 'poster.jpg'), note);
    expect(await settle({ ref: 'a' }, true)).toEqual({ state: 'would_write' });
    await writeFile(path.join(folder.path, 'poster.jpg'), 'a');
    expect(await settle({ ref: 'a' })).toEqual({ state: 'present', name: 'poster.jpg' });
    // Where files have one name only, another one is made before it is replaced.
    await writeFile(path.join(folder.path, 'poster.jpg'), 'artwork-mcp is writing the file of this name.\n');
    expect(await settle({ ref: 'a' })).toMatchObject({ state: 'replaced' });
    expect(await read('poster.jpg')).toBe('a');
  });
});

describe('a file of somebody else', () => {
  it.each(['poster.jpg', 'Poster.PNG', 'poster.webp', 'poster.tbn'])(
    '%s keeps its place, and nothing is fetched',
    async (name) => {
      await writeFile(path.join(folder.path, name), 'mine');
      expect(await settle({ ref: 'a' })).toEqual({ state: 'left_alone', name, changed: false });
      expect(await read(name)).toBe('mine');
      expect(fetched).toEqual([]);
    },
  );

  it('that appears while the picture is fetched keeps its place', async () => {
    const source = { service: 's', ref: 'a', set: 'show_set 12', setUpdated: null };
    const content = async () => {
      await writeFile(path.join(folder.path, 'poster.jpg'), 'mine');
      return { bytes: Buffer.from('a'), extension: 'jpg' };
    };
    const wanted = { folder: entered(), stem: 'poster', source, isSameSource: () => false, content };
    expect(await settleFile(wanted, record, false)).toMatchObject({ state: 'left_alone' });
    expect(await read('poster.jpg')).toBe('mine');
    expect(await readdir(folder.path)).toEqual(['poster.jpg']);
  });
});

describe('several processes', () => {
  it('that write different pictures to one place leave one of them whole, and each knows it for its own', async () => {
    for (let round = 0; round < 5; round += 1) {
      const refs = Array.from({ length: 8 }, () => randomUUID());
      const settled = await Promise.all(refs.map((ref) => settle({ ref })));
      expect(refs).toContain(await read('poster.jpg'));
      expect(await readdir(folder.path)).toEqual(['poster.jpg']);
      expect(
        settled.filter(({ state }) => state === 'written' || state === 'replaced').length,
      ).toBeGreaterThan(0);
      // Whoever comes next replaces it, since it is known as written here.
      expect(await settle({ ref: randomUUID() })).toMatchObject({ state: 'replaced' });
    }
  });
});

describe('a text that is made here', () => {
  const source = { service: 's', ref: 'metadata', set: 'show_set 12', setUpdated: null };
  const put = (text: string) => settleText(entered(), 'a.yml', text, source, record, false);

  it('is replaced by another, and left alone once somebody has changed it', async () => {
    expect(await put('one')).toMatchObject({ state: 'written' });
    expect(await put('one')).toEqual({ state: 'present', name: 'a.yml' });
    expect(await put('two')).toMatchObject({ state: 'replaced' });
    await writeFile(path.join(folder.path, 'a.yml'), 'edited');
    expect(await put('three')).toEqual({ state: 'left_alone', name: 'a.yml', changed: true });
    expect(await read('a.yml')).toBe('edited');
  });
});

describe('a file system where files have one name only', () => {
  const refuse = async () => {
    throw Object.assign(new Error('not permitted'), { code: 'EPERM' });
  };

  it('gets its files whole, and none over another', async () => {
    const [draft, final] = ['draft', 'poster.jpg'].map((name) => path.join(folder.path, name));
    if (draft === undefined || final === undefined) return;
    await writeFile(draft, 'one');
    expect(await giveFileName(draft, final, refuse)).toBeNull();
    expect(await readdir(folder.path)).toEqual(['poster.jpg']);
    await writeFile(draft, 'two');
    expect(await giveFileName(draft, final, refuse)).toMatchObject({ path: final, size: 3 });
    expect(await read('poster.jpg')).toBe('one');
  });
});

describe('drafts', () => {
  it('that a killed process left are swept; those of a living one and foreign files are not', async () => {
    const draft = (pid: number) => `.artwork-mcp-${pid}-${randomUUID()}.part`;
    const gone = draft(2 ** 22 - 7);
    const [living, fresh, foreign] = [draft(process.ppid), draft(2 ** 22 - 7), '.artwork-mcp-1-x.part'];
    for (const name of [gone, living, fresh, foreign]) await writeFile(path.join(folder.path, name), 'half');
    const past = new Date(Date.now() - 120_000);
    for (const name of [gone, living, foreign]) await utimes(path.join(folder.path, name), past, past);
    await sweepFolder(folder.path, Date.now());
    expect((await readdir(folder.path)).sort()).toEqual([living, fresh, foreign].sort());
    await sweepFolder(folder.path, Date.now() + 3_700_000);
    expect(await readdir(folder.path)).toEqual([foreign]);
  });
});
