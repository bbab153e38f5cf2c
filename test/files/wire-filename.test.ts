import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { path as below } from '../../src/catalogue/call.ts';
import { wireFilename } from '../../src/files/prepare.ts';
import { sha256Of } from '../../src/files/upload-bytes.ts';
import { catalogueAt } from '../catalogue/scripted-server.ts';
import { share } from '../support/share.ts';
import { startReceiver } from './receiver.ts';

const sha256 = sha256Of('0123456789ab'.padEnd(64, 'c'));
const nameOf = (name: string) => wireFilename(name, 'image/png', sha256);

describe('a file name on the wire', () => {
  it.each([
    'poster.png',
    'Show - S01E02 - Title (2019) [v2].PNG',
    "It's 100, isn't it.jpeg",
    'a.b.c.webp',
    '02.gif',
  ])('%s stays', (name) => {
    expect(nameOf(name)).toEqual({ filename: name, changed: false });
  });

  it.each([
    ['Pok\u00e9mon.png', 'Pokemon.png'],
    ['Poke\u0301mon.png', 'Pokemon.png'],
    ['Großer Übergang – Teil 2.png', 'Grosser Ubergang - Teil 2.png'],
    ['Łódź Øre Æble.png', 'Lodz Ore Aeble.png'],
    ['a"b\\c/d.png', 'a_b_c_d.png'],
    ['a\r\nX-Evil: 1.png', 'a_X-Evil_ 1.png'],
    ['100% real; "x".png', '100_ real_ _x.png'],
    ['😀 party.png', 'party.png'],
    ['進撃の巨人.png', 'JinJinoJuRen.png'],
    ['第1話.png', 'Di1Hua.png'],
    ['плакат.png', 'plakat.png'],
    ['Тихий Дон – S01E02.jpeg', 'Tikhiy Don - S01E02.jpeg'],
    ['기생충 포스터.png', 'GiSaengChung PoSeuTeo.png'],
    ['ملصق.png', 'mlsq.png'],
    ['😀😀.png', 'artwork-0123456789ab.png'],
    ['.png', 'artwork-0123456789ab.png'],
    ['.hidden.png', 'hidden.png'],
    ['   .png', 'artwork-0123456789ab.png'],
    ['Mr. Robot', 'Mr. Robot.png'],
    ['poster', 'poster.png'],
    [`${'x'.repeat(300)}.png`, `${'x'.repeat(116)}.png`],
    [`${'é'.repeat(300)}.jpeg`, `${'e'.repeat(115)}.jpeg`],
  ])('%j becomes %s', (name, filename) => {
    expect(nameOf(name)).toEqual({ filename, changed: true });
  });

  it('is always a short line of plain characters, the same each time, and stays when sent again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
        const { filename } = nameOf(name);
        expect(filename).toMatch(/^[a-zA-Z0-9_!#&'(),+=@[\]][\x20-\x7e]{0,119}$/);
        expect(filename).not.toMatch(/["\\/:*?<>|;%]/);
        expect(filename).toMatch(/\.(png|jpe?g|webp|gif)$/i);
        expect(nameOf(name).filename).toBe(filename);
        expect(nameOf(filename)).toEqual({ filename, changed: false });
      }),
      { numRuns: share(100, 1_000) },
    );
  });

  it('goes through a real header', async () => {
    const receiver = await startReceiver();
    const catalogue = catalogueAt(receiver.origin);
    const names = fc
      .sample(fc.string({ unit: 'binary', maxLength: 300 }), 50)
      .map((name) => nameOf(name).filename);
    for (const filename of names) {
      const headers = { 'content-type': 'image/png', 'x-upload-filename': filename };
      const body = Buffer.from('x');
      const outcome = await catalogue.send({ path: below`/me/assets`, headers, body, bearer: null });
      expect(outcome.outcome).toBe('applied');
    }
    expect(receiver.received.map(({ headers }) => headers['x-upload-filename'])).toEqual(names);
  });
});
