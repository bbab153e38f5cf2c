import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ArtworkError } from '../../src/errors.ts';
import { integer, integerList, languageCodeArgument, slotName } from '../../src/mcp/arguments.ts';
import { namedKind } from '../../src/mcp/kinds.ts';
import { readArguments } from '../../src/mcp/read-arguments.ts';

const tool = {
  name: 'a_tool',
  revision: () => ({ of: 'nothing' }) as const,
  input: z.strictObject({
    kind: namedKind,
    slot: slotName.optional(),
    limit: integer.default(25),
    finalised: z.boolean().optional(),
    languageCode: languageCodeArgument.nullable().optional(),
    setIds: integerList(3).optional(),
    include: z.array(z.string()).min(1).optional(),
    expectedUpdatedAt: z.string().nullable().optional(),
    items: z
      .array(z.strictObject({ operation: z.enum(['add', 'replace']), position: integer.optional() }))
      .optional(),
    extra: z.record(z.string(), z.unknown()).optional(),
  }),
};
const read = (args: unknown) => readArguments(tool, args).parsed;
const show = { kind: 'show', limit: 25 };

describe('what models write for what they mean', () => {
  it.each<[string, object, object]>([
    ['digits', { limit: '7', setIds: ['1', 2] }, { limit: 7, setIds: [1, 2] }],
    ['plurals, in any case', { kind: 'Shows', slot: 'posters' }, { slot: 'poster' }],
    ['nothing', { slot: null, limit: '', finalised: null, include: [] }, {}],
    ['a null that clears', { languageCode: null }, { languageCode: null }],
    ['an empty list that says something', { setIds: [] }, { setIds: [] }],
    [
      'JSON as text',
      { finalised: 'true', setIds: '[1,2]', items: '[{"operation":"add","position":""}]' },
      { finalised: true, setIds: [1, 2], items: [{ operation: 'add' }] },
    ],
    ['what goes to the service as it is', { extra: { a: null, b: '' } }, { extra: { a: null, b: '' } }],
    ['no revision', { expectedUpdatedAt: 'none' }, { expectedUpdatedAt: 'none' }],
  ])('%s', (_, said, meant) => {
    expect(read({ ...show, ...said })).toEqual({ ...show, ...meant });
  });
});

describe('what is refused, at its place', () => {
  const issuesOf = (args: unknown) => {
    try {
      read(args);
    } catch (error) {
      if (error instanceof ArtworkError && error.category === 'invalid_arguments')
        return {
          message: error.message,
          places: error.issues?.map(({ code, path }) => [code, ...path].join(' ')),
        };
      throw error;
    }
    return null;
  };
  it.each<[string, unknown, string[]]>([
    ['nothing at all', {}, ['missing kind']],
    ['a list', [], ['not_right']],
    ['a word that is none', { kind: 'shop' }, ['not_right kind']],
    [
      'what is nearly right',
      { ...show, lmit: 5, items: [{ operation: 'ad', x: 1 }] },
      ['not_right items 0 operation', 'unknown items 0 x', 'unknown lmit'],
    ],
    [
      'what has another form',
      { ...show, limit: 'seven', languageCode: 'English' },
      ['not_right languageCode', 'not_right limit'],
    ],
    ['a revision of nothing', { ...show, expectedUpdatedAt: 'r1' }, ['not_right expectedUpdatedAt']],
    ['an endless list', { ...show, setIds: Array.from({ length: 10_001 }, () => 1) }, ['not_right']],
    [
      'what is nested without end',
      { ...show, extra: JSON.parse(`${'{"a":'.repeat(101)}1${'}'.repeat(101)}`) },
      ['not_right'],
    ],
  ])('%s', (_, args, places) => {
    expect(issuesOf(args)?.places?.sort()).toEqual(places);
  });

  it.each<[object, string | null]>([
    [{ lmit: 5 }, 'limit'],
    [{ items: [{ operation: 'replac' }] }, 'replace'],
    [{ kind: 'sohw' }, 'show'],
    [{ items: [{ operation: 'unadd' }] }, null],
    [{ colour: 'red' }, null],
  ])('%j asks for what is near, and for nothing else', (args, near) => {
    const { message = '' } = issuesOf({ ...show, ...args }) ?? {};
    expect(/did you mean "(\w+)"/.exec(message)?.[1] ?? null).toBe(near);
  });
});
