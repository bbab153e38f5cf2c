import type { NamedFile } from '../types.ts';
import { counting } from './counting.ts';
import { doubt } from './doubt.ts';
import { films } from './films.ts';
import { games } from './games.ts';
import { numbers } from './numbers.ts';
import { seasons } from './seasons.ts';
import { titles } from './titles.ts';
import { tools } from './tools.ts';
import { typed } from './typed.ts';
import { writing } from './writing.ts';

/** What the matcher may be made by. */
export const seen: readonly NamedFile[] = [
  ...numbers,
  ...titles,
  ...seasons,
  ...counting,
  ...tools,
  ...films,
  ...games,
  ...writing,
  ...doubt,
  ...typed,
];
