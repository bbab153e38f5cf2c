import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Artist } from '../artist.ts';
import { type Studio, startStudio } from '../studio.ts';
import { told } from '../told.ts';
import { plantShowOf, type Show } from './show.ts';

let studio: Studio;
let artist: Artist;
let show: Show;

beforeAll(async () => {
  studio = await startStudio();
  artist = await studio.artist();
  show = plantShowOf(studio, 12);
});
afterAll(() => studio.close());
beforeEach(() => studio.forget());

describe('a Set that is created', () => {
  it('succeeds with all of its items', async () => {
    const args = await show.creation(artist, 3);
    const answer = await told(artist.mutations.createMediaSet(args));
    expect(answer.outcome).toBe('succeeded');
  });
});
