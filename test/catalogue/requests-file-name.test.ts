import fc from 'fast-check';
import { expect, test } from 'vitest';
import { safeFilename, uploadFilename } from '../../src/catalogue/requests/file-name.ts';
import { assetUpload, uploadAssetRequest } from '../../src/catalogue/requests/upload-asset.ts';
import { sent } from './requests-sent.ts';
import { share } from '../support/share.ts';

test.each([
  ['S01E01.png', 'S01E01.png'],
  ["Show - S01E01 - Pilot (1), it's [v2]!.jpeg", "Show - S01E01 - Pilot (1), it's [v2]!.jpeg"],
  ['Amélie.jpg', 'Amelie.jpg'],
  ['Ame\u0301lie.jpg', 'Amelie.jpg'],
  ['進撃の巨人 S01E01.png', '_ S01E01.png'],
  ['١٢٣.webp', '_.webp'],
  ['ﬁlm.png', 'film.png'],
  ['a/b\\c:d*e?f"g<h>i|j;k%20.png', 'a_b_c_d_e_f_g_h_i_j_k_20.png'],
  ['  a.png  ', 'a.png'],
  ['.hidden.png', 'hidden.png'],
  ['..', 'file'],
  ['', 'file'],
  ['a\r\nX-Injected: 1.png', 'a_X-Injected_ 1.png'],
  ['trailing dot.', 'trailing dot'],
  ['no extension', 'no extension'],
  [`${'x'.repeat(300)}.png`, `${'x'.repeat(196)}.png`],
  [`${'x'.repeat(195)} y.png`, `${'x'.repeat(195)}.png`],
  ['👩‍🎤.gif', '_.gif'],
])('%j becomes %j', (name, filename) => {
  expect(safeFilename(name)).toEqual({ filename, changed: filename !== name });
});

test('every name becomes one that may stand in a header, once and for all, and keeps its extension', () => {
  const extension = fc.constantFrom('', '.png', '.JPG', '.webp', '.tar.gz');
  const name = fc
    .tuple(fc.string({ unit: 'binary', maxLength: 300 }), extension)
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(name, extension, (given, ending) => {
      const { filename, changed } = safeFilename(given + ending);
      expect(uploadFilename.safeParse(filename).success).toBe(true);
      expect(filename).toMatch(/^[\x20-\x7e]{1,200}$/);
      expect(filename.trim()).toBe(filename);
      expect(changed).toBe(filename !== given + ending);
      expect(safeFilename(filename)).toEqual({ filename, changed: false });
      if (ending !== '' && given !== '')
        expect(filename.endsWith(ending.slice(ending.lastIndexOf('.') + 1))).toBe(true);
    }),
    { numRuns: share(300, 2_000) },
  );
});

test('it arrives as it was declared', async () => {
  const bytes = Buffer.from('x');
  const names = fc.sample(fc.string({ unit: 'binary', maxLength: 60 }), 40);
  for (const name of ["it's #1 = a & b~`{}^$@!,+.png", ...names]) {
    const { filename } = safeFilename(name);
    const upload = assetUpload.parse({
      clientMutationId: '5f0c0e5e-5f63-4d3c-9a55-0d9a6c1f5f10',
      change: { operation: 'add' },
      destination: { to: 'set', setId: 1 },
      slot: 'poster',
      file: { filename, contentType: 'image/png', contentLength: 1 },
      sha256: '0'.repeat(64),
    });
    expect((await sent(uploadAssetRequest(upload), bytes)).headers['x-upload-filename']).toBe(filename);
  }
});
