import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as fields from '../../src/catalogue/request.ts';
import { ArtworkError } from '../../src/errors.ts';
import { integer, languageCodeArgument, paging, slotName } from '../../src/mcp/arguments.ts';
import { wholeSchema } from '../../src/mcp/json-schema.ts';
import { namedKind } from '../../src/mcp/kinds.ts';
import { readArguments } from '../../src/mcp/read-arguments.ts';

const place = { targetKind: fields.targetKind, targetId: fields.targetId, slot: fields.slot };
const item = z.discriminatedUnion('operation', [
  z.strictObject({ operation: z.literal('add'), ...place, file: fields.filePath }),
  z.strictObject({ operation: z.literal('assign'), ...place, assetId: fields.assetId }),
]);
const tool = {
  name: 'a_tool',
  revision: () => ({ of: 'nothing' }) as const,
  input: z.strictObject({
    ...paging,
    kind: namedKind,
    slot: slotName.optional(),
    finalised: z.boolean().optional(),
    title: z.string().optional(),
    languageCode: languageCodeArgument.nullable().optional(),
    setIds: z.array(integer).max(3).optional(),
    include: z.array(z.string()).min(1).optional(),
    editionId: fields.editionChange,
    related: fields.relatedId.optional(),
    expectedUpdatedAt: z.string().nullable().optional(),
    items: z.array(item).optional(),
    extra: fields.extra,
  }),
};
const read = (args: unknown) => readArguments(tool, args).parsed;
const show = { kind: 'show', limit: 25 };
const episode = { targetKind: 'episode', targetId: 3, slot: 'titlecard' };
const added = { operation: 'add', ...episode, file: '/a.png' };

describe('what hosts and models write for what they mean', () => {
  it.each<[string, object, object]>([
    ['digits', { limit: '7', setIds: ['1', 2], editionId: '4' }, { limit: 7, setIds: [1, 2], editionId: 4 }],
    ['digits of what may be a name', { related: '12' }, { related: '12' }],
    ['numbers for texts', { title: 1984, cursor: 2 }, { title: '1984', cursor: '2' }],
    ['plurals, in any case', { kind: 'Shows', slot: 'posters' }, { slot: 'poster' }],
    ['nothing', { slot: null, limit: '', finalised: null, include: [], items: [], title: '' }, { items: [] }],
    ['a null that clears', { languageCode: null, editionId: null }, { languageCode: null, editionId: null }],
    ['the word for it', { languageCode: 'none', editionId: 'none' }, { languageCode: null, editionId: null }],
    ['no revision', { expectedUpdatedAt: 'none' }, { expectedUpdatedAt: null }],
    ['an empty list that says something', { setIds: [] }, { setIds: [] }],
    [
      'JSON as text',
      { finalised: 'true', setIds: '[1,"2"]', items: JSON.stringify([added]), extra: '{"a":1}' },
      { finalised: true, setIds: [1, 2], items: [added], extra: { a: 1 } },
    ],
    ['what goes to the service as it is', { extra: { a: null, b: '' } }, { extra: { a: null, b: '' } }],
    [
      'every argument of another operation',
      { items: [{ ...added, targetId: '3', targetKind: 'Episodes', slot: 'title cards', assetId: '' }] },
      { items: [added] },
    ],
  ])('%s', (_, said, meant) => {
    expect(read({ ...show, ...said })).toEqual({ ...show, ...meant });
  });

  it('says which words it took for others', () => {
    const items = [{ ...added, targetKind: 'season', slot: 'posters' }];
    expect(readArguments(tool, { ...show, slot: 'posters', items }).taken).toEqual({ posters: 'poster' });
    expect(readArguments(tool, show).taken).toBeNull();
  });
});

describe('what is refused, at its place', () => {
  const issuesOf = (args: unknown) => {
    try {
      read(args);
    } catch (error) {
      if (error instanceof ArtworkError && error.failure === 'invalid_arguments')
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
      { ...show, lmit: 5, items: [{ ...added, x: 1 }, { operation: 'ad' }] },
      ['not_right items 1 operation', 'unknown items 0 x', 'unknown lmit'],
    ],
    [
      'what belongs to another',
      { ...show, items: [{ ...added, assetId: 'x' }] },
      ['unknown items 0 assetId'],
    ],
    [
      'what has another form',
      { ...show, limit: 'seven', languageCode: 'English', extra: 'x' },
      ['not_right extra', 'not_right languageCode', 'not_right limit'],
    ],
    ['what is no integer', { ...show, limit: '1e2' }, ['not_right limit']],
    ['a slot that it lacks', { ...show, items: [{ ...added, slot: 'logo' }] }, ['not_right items 0 slot']],
    [
      'a kind that there is not',
      { ...show, items: [{ ...added, targetKind: 'epsode' }] },
      ['not_right items 0 targetKind'],
    ],
    ['a revision of nothing', { ...show, expectedUpdatedAt: 'r1' }, ['not_right expectedUpdatedAt']],
    ['an endless list', { ...show, setIds: Array.from({ length: 10_001 }, () => 1) }, ['not_right']],
    [
      'what is nested without end',
      { ...show, extra: JSON.parse(`${'{"a":'.repeat(101)}1${'}'.repeat(101)}`) },
      ['not_right'],
    ],
    [
      'the same as text',
      { ...show, extra: `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}` },
      ['not_right'],
    ],
  ])('%s', (_, args, places) => {
    expect(issuesOf(args)?.places?.sort()).toEqual(places);
  });

  it.each<[object, string | null]>([
    [{ lmit: 5 }, 'limit'],
    [{ items: [{ operation: 'asign' }] }, 'assign'],
    [{ items: [{ ...added, fiel: 1 }] }, 'file'],
    [{ items: [{ ...added, slot: 'titlecrad' }] }, 'titlecard'],
    [{ kind: 'sohw' }, 'show'],
    [{ items: [{ operation: 'unadd' }] }, null],
    [{ colour: 'red' }, null],
  ])('%j asks for what is near, and for nothing else', (args, near) => {
    const { message = '' } = issuesOf({ ...show, ...args }) ?? {};
    expect(/did you mean "(\w+)"/.exec(message)?.[1] ?? null).toBe(near);
  });
});

it('shows one type for what may be several, and the members of all for a union of objects', () => {
  const { properties } = wholeSchema(tool.input, 'input');
  const types = Object.entries(properties ?? {}).map(([name, { type }]) => [name, type]);
  expect(types.filter(([, type]) => typeof type !== 'string')).toEqual([]);
  expect(properties?.editionId?.type).toBe('string');
  expect(properties?.items?.items).toMatchObject({
    properties: { operation: { enum: ['add', 'assign'] }, file: { type: 'string' }, assetId: {} },
    required: ['operation', 'targetKind', 'targetId', 'slot'],
  });
});
