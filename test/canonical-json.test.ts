import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalAnswer, canonicalDigest, canonicalJson, type Json } from '../src/canonical-json.ts';

const codePoint = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code));

/** JSON with strings of any UTF-16, lone surrogates too, and the numbers that JSON can hold. */
const anyJson = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, false),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
    fc.string({ unit: codePoint }),
    fc.string({ unit: 'grapheme' }),
    fc.array(tie('value')),
    fc.dictionary(fc.string({ unit: 'grapheme' }), tie('value')),
  ),
})).value;

/** The same value with the members of every object in another order. */
function reordered(value: Json): Json {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, member]) => [name, reordered(member ?? null)] as const);
  return Object.fromEntries(entries.reverse());
}

describe('canonical JSON', () => {
  it('is JSON that says the same', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(value);
      }),
    );
  });

  it('is the same for the same value, however it was put together', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(reordered(value))).toBe(text);
        expect(canonicalJson(JSON.parse(JSON.stringify(value)))).toBe(text);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });

  it('differs where values differ', () => {
    fc.assert(
      fc.property(anyJson, anyJson, (one, other) => {
        const same = canonicalJson(one) === canonicalJson(other);
        expect(same).toBe(JSON.stringify(sorted(one)) === JSON.stringify(sorted(other)));
      }),
    );
    const alike: Json[] = [
      'é',
      'e\u0301',
      'É',
      1,
      '1',
      true,
      'true',
      null,
      'null',
      '',
      [],
      {},
      [[]],
      [{}],
      { a: null },
    ];
    expect(new Set(alike.map(canonicalJson)).size).toBe(alike.length);
  });

  it('has one spelling for each thing', () => {
    const value = {
      b: [1, -0, 1e21, 0.1, 1e-7],
      a: 'é"\\\n\u2028\ud800\u{1f5bc}',
      A: {},
      '': null,
      '\ud83d': 1,
      '\uffee': 2,
    };
    expect(canonicalJson(value)).toBe(
      '{"":null,"A":{},"a":"é\\"\\\\\\n\u2028\\ud800\u{1f5bc}","b":[1,0,1e+21,0.1,1e-7],"\\ud83d":1,"\uffee":2}',
    );
    expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}');
    expect(canonicalJson({ 10: 1, 9: 2, 1: 3 })).toBe('{"1":3,"10":1,"9":2}');
    expect(canonicalJson(JSON.parse('{"__proto__":{"x":1},"constructor":2}'))).toBe(
      '{"__proto__":{"x":1},"constructor":2}',
    );
  });

  it('refuses what is not JSON', () => {
    // What the types would keep out has to be smuggled in.
    const smuggled: unknown[] = [
      Number.NaN,
      Number.POSITIVE_INFINITY,
      undefined,
      [undefined],
      new Array(2),
      1n,
      Symbol('s'),
      () => 1,
      new Date(0),
      new Map(),
      Buffer.from('x'),
      { deep: [new (class Thing {})()] },
    ];
    for (const value of smuggled) {
      expect(() => Reflect.apply(canonicalJson, null, [value]), String(value)).toThrow(TypeError);
    }
    let deep: Json = 1;
    for (let i = 0; i < 101; i += 1) deep = [deep];
    expect(() => canonicalJson(deep)).toThrow(TypeError);
    let wide: Json = 1;
    for (let i = 0; i < 100; i += 1) wide = { a: wide };
    expect(canonicalJson(wide).length).toBe(601);
  });

  it('is the same for an answer, whatever numbers it holds', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        expect(canonicalAnswer(JSON.parse(JSON.stringify(value)))).toBe(canonicalJson(value));
      }),
    );
    expect(canonicalAnswer(JSON.parse('{"b":[1e999,-1e999],"a":1e-999}'))).toBe('{"a":0,"b":[null,null]}');
    expect(canonicalAnswer({ a: undefined, b: [undefined] })).toBe('{"b":[null]}');
  });

  it('is digested as UTF-8', () => {
    expect(canonicalDigest('{}')).toBe('44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a');
    const text = canonicalJson({ a: 'é\u{1f5bc}' });
    expect(canonicalDigest(text)).toBe(createHash('sha256').update(Buffer.from(text, 'utf8')).digest('hex'));
  });
});

/** Another way of telling values apart: objects as sorted lists of pairs. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const pairs = Object.entries(value).map(([name, member]): Json => [name, sorted(member ?? null)]);
  return { pairs: pairs.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) };
}
