import { describe, expect, it } from 'vitest';
import { slotsOf } from '../../../src/model/kinds.ts';
import { heldOut, seen } from './index.ts';
import { type Context, type NamedFile, namings, type Place, type TargetKind } from './types.ts';

const all = [...seen, ...heldOut];
const label = ({ naming, context, path }: NamedFile) => `${naming}: ${context.title}: ${path}`;

function placesOf({ expected }: NamedFile): readonly Place[] {
  if ('match' in expected) return [expected.match];
  return 'ambiguous' in expected ? expected.ambiguous : [];
}

function idsOf(context: Context, kind: TargetKind): readonly number[] {
  const own = context.kind === kind ? [context.id] : [];
  switch (context.kind) {
    case 'show':
      if (kind === 'season') return context.seasons.map(({ id }) => id);
      if (kind === 'episode') return context.seasons.flatMap(({ episodes }) => episodes.map(({ id }) => id));
      return own;
    case 'collection':
      return kind === 'movie' ? context.movies.map(({ id }) => id) : own;
    case 'movie':
    case 'game':
      return own;
  }
}

function repeated(keys: readonly string[]): readonly string[] {
  return keys.filter((key, index) => keys.indexOf(key) < index);
}

describe('the corpus of file names', () => {
  it('is large enough to say something', () => {
    expect(all.length).toBeGreaterThanOrEqual(940);
  });

  it('holds a third back', () => {
    expect(heldOut.length / all.length).toBeGreaterThanOrEqual(1 / 3);
    expect(heldOut.length / all.length).toBeLessThan(0.4);
  });

  it.each(namings)('has names of the naming %s on both sides', (naming) => {
    const here = (files: readonly NamedFile[]) => files.filter((file) => file.naming === naming).length;
    const share = here(heldOut) / (here(heldOut) + here(seen));
    expect(here(heldOut)).toBeGreaterThanOrEqual(5);
    expect(share).toBeGreaterThan(0.2);
    expect(share).toBeLessThan(0.5);
  });

  it('has no name twice for one context', () => {
    const names = all.map(({ context, path }) => `${context.kind} ${context.id} ${path}`);
    expect(repeated(names)).toEqual([]);
  });

  it('has one record for each context', () => {
    const records = [...new Set(all.map(({ context }) => context))];
    expect(repeated(records.map(({ kind, id }) => `${kind} ${id}`))).toEqual([]);
  });

  it('has no id twice for one kind of a context', () => {
    const kinds: readonly TargetKind[] = ['season', 'episode', 'movie'];
    const doubled = all.filter(({ context }) =>
      kinds.some((kind) => new Set(idsOf(context, kind)).size < idsOf(context, kind).length),
    );
    expect(doubled.map(label)).toEqual([]);
  });

  it('expects only what the context has, in a slot of its kind', () => {
    const impossible = all.filter((file) =>
      placesOf(file).some(
        ({ targetKind, targetId, slot }) =>
          !idsOf(file.context, targetKind).includes(targetId) ||
          !slotsOf(targetKind).some((one) => one === slot),
      ),
    );
    expect(impossible.map(label)).toEqual([]);
  });

  it('asks about at least one place, and about none twice', () => {
    const odd = all.filter((file) => {
      if (!('ambiguous' in file.expected)) return false;
      const places = placesOf(file).map((place) => JSON.stringify(place));
      return places.length === 0 || new Set(places).size < places.length;
    });
    expect(odd.map(label)).toEqual([]);
  });

  it('has only paths that lead somewhere inside the folder', () => {
    const outside = all.filter(({ path, beside }) =>
      [path, ...beside].some((name) => name.split('/').some((part) => ['', '.', '..'].includes(part))),
    );
    expect(outside.map(label)).toEqual([]);
  });

  it('never names a file as its own neighbour, or a neighbour twice', () => {
    const odd = all.filter(
      ({ path, beside }) => beside.includes(path) || new Set(beside).size < beside.length,
    );
    expect(odd.map(label)).toEqual([]);
  });

  it('matches no two files of one folder to one place', () => {
    const contested = all.filter((file) => {
      if (!('match' in file.expected)) return false;
      const place = JSON.stringify(file.expected.match);
      return all.some(
        (other) =>
          other.context === file.context &&
          other.beside.length > 0 &&
          file.beside.includes(other.path) &&
          other.beside.includes(file.path) &&
          placesOf(other).some((held) => JSON.stringify(held) === place),
      );
    });
    expect(contested.map(label)).toEqual([]);
  });
});
