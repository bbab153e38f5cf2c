import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSafeName, nameOf } from '../../../src/curation/download/names.ts';
import { nameKey } from '../../../src/machine.ts';

describe('a title as a name', () => {
  it.each<[string, string | null]>([
    ['Breaking Bad', 'Breaking Bad'],
    ['Star Trek: Picard', 'Star Trek - Picard'],
    ['Alien³ :Resurrection', 'Alien³ -Resurrection'],
    ['Face/Off', 'Face-Off'],
    ['AC\\DC | Live', 'AC-DC - Live'],
    ['What If...?', 'What If'],
    ['...And Justice for All', 'And Justice for All'],
    ['"Weird <Al>" *', "'Weird Al'"],
    ['Amélie', 'Amélie'],
    ['../../x', '-..-x'],
    ['..', null],
    [' . ', null],
    ['', null],
    ['???', null],
    ['CON', 'CON_'],
    ['nul.poster', 'nul_.poster'],
    ['LPT¹', 'LPT¹_'],
    ['aux .txt', 'aux_ .txt'],
    ['Contact', 'Contact'],
    ['Good\u202Eeman\u0000\u001b[31m', 'Goodeman[31m'],
    ['line\nbreak\ttab', 'line break tab'],
    ['می\u200cخواهم', 'می\u200cخواهم'],
    ['👩‍👩‍👧', '👩‍👩‍👧'],
    ['千と千尋の神隠し', '千と千尋の神隠し'],
  ])('%j becomes %j', (title, name) => {
    expect(nameOf(title)).toBe(name);
  });

  it('is safe on every file system, whatever the title, and stays as it is the second time', () => {
    const unit = fc.oneof(
      fc.constantFrom(
        '..',
        '/',
        '\\',
        ':',
        'CON',
        'nul',
        '.',
        ' ',
        '\u202e',
        '\u0000',
        'e\u0301',
        '\ud800',
        'aux.',
      ),
      fc.string({ unit: 'grapheme', maxLength: 4 }),
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 60 }), (units) => {
        const name = nameOf(units.join(''));
        if (name === null) return;
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(97);
        expect(name).toBe(name.normalize('NFC'));
        expect(name).not.toMatch(/["*/:<>?\\|\p{Cc}\u202a-\u202e\u2066-\u2069]|^[. ]|[. ]$/u);
        expect(name).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)\s*(\.|$)/i);
        expect(name).not.toMatch(/\p{Cs}/u);
        expect(nameOf(name)).toBe(name);
        expect(isSafeName(name)).toBe(true);
      }),
    );
  });
});

describe('names that some file system takes for one', () => {
  it.each([
    ['Poster', 'poster'],
    ['Ame\u0301lie', 'AMÉLIE'],
    ['ﬁlm', 'film'],
    ['Straße', 'STRASSE'],
  ])('%j and %j', (one, other) => {
    expect(nameKey(one)).toBe(nameKey(other));
  });
});
