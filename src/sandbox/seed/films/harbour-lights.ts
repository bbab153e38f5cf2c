import type { SeedCollection, SeedMovie } from '../types.ts';

const title = 'The Harbour Lights of Nowhere-on-Sea';

export const harbourLightsCollection: SeedCollection = {
  title,
  overview:
    'A fictional collection, invented for this catalogue: the sixty parts of a serial that was never filmed.',
};

const parts = Array.from({ length: 60 }, (_, index) => index + 1);

/** The month after the one in which the part before it was released, from January 1931 on. */
function releaseDateOf(part: number): string {
  const month = String(((part - 1) % 12) + 1).padStart(2, '0');
  return `${1931 + Math.floor((part - 1) / 12)}-${month}-15`;
}

/** A work that does not exist, in sixty parts: more than fits on one page. */
export const harbourLights: readonly SeedMovie[] = parts.map((part) => ({
  title: `${title}, Part ${part}`,
  overview: `Part ${part} of ${parts.length} of a fictional serial, invented for this catalogue.`,
  tagline: part === parts.length ? 'The last light goes out.' : `Light ${part} goes out.`,
  status: 'released',
  releaseDate: releaseDateOf(part),
  runtimeMinutes: 20,
  filmedForImax: false,
  collection: title,
  companies: ['Nonexistent Pictures'],
  people: ['Ottoline Quackenfrost'],
  categories: ['Edge Cases', 'Black and White'],
}));
