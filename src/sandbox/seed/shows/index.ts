import type { SeedShow } from '../types.ts';
import { bandOfBrothers } from './band-of-brothers.ts';
import { betterCallSaul } from './better-call-saul.ts';
import { breakingBad } from './breaking-bad.ts';
import { chernobyl } from './chernobyl.ts';
import { dark } from './dark.ts';
import { fawltyTowers } from './fawlty-towers.ts';
import { fictionalShows } from './fictional/index.ts';
import { firefly } from './firefly.ts';
import { fleabag } from './fleabag.ts';
import { gameOfThrones } from './game-of-thrones.ts';
import { madMen } from './mad-men.ts';
import { sherlock } from './sherlock.ts';
import { theOffice } from './the-office.ts';
import { theSopranos } from './the-sopranos.ts';
import { theWire } from './the-wire.ts';
import { twinPeaks } from './twin-peaks.ts';

export { manyPostersShow, manySeasonsShow, titleCardsShow } from './fictional/index.ts';
export { networks } from './networks.ts';

/** Every show of the embedded catalogue: the real ones, complete, then the fictional ones. */
export const shows: readonly SeedShow[] = [
  breakingBad,
  betterCallSaul,
  gameOfThrones,
  chernobyl,
  bandOfBrothers,
  firefly,
  fleabag,
  fawltyTowers,
  sherlock,
  theOffice,
  madMen,
  theWire,
  theSopranos,
  twinPeaks,
  dark,
  ...fictionalShows,
];
