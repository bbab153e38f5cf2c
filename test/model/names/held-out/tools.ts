import { breakingBad } from '../contexts/breaking-bad.ts';
import { backToTheFuture, puddleSaga } from '../contexts/films.ts';
import { miscountedParcels } from '../contexts/miscounted-parcels.ts';
import { saltmarsh } from '../contexts/saltmarsh.ts';
import { sherlock } from '../contexts/sherlock.ts';
import { apart, either, filmsOf, partsOf, unmatched } from '../expectations.ts';

const { own, ownIn, season, card } = partsOf(breakingBad);
const marsh = partsOf(saltmarsh);
const future = filmsOf(backToTheFuture);

export const tools = [
  ...apart('kometa', breakingBad, {
    'Breaking Bad (2008)/S05E13.jpg': card(5, 13),
    'Breaking Bad (2008)/Season02_background.png': season(2, 'backdrop'),
    'Breaking Bad (2008)_Season04.jpg': season(4),
    'Breaking Bad (2008)_background.jpg': own('backdrop'),
    'Breaking Bad (2008)/S02E03_background.jpg': unmatched('no_slot'),
    'Breaking Bad (2008)_S02E10.png': card(2, 10),
  }),
  ...apart('kometa', miscountedParcels, {
    'Season00.jpg': partsOf(miscountedParcels).season(0),
  }),
  ...apart('plex', saltmarsh, {
    'season-specials-poster.jpg': marsh.season(0),
  }),
  ...apart('plex', breakingBad, {
    'Breaking Bad/Season 04/Season04.jpg': season(4),
    'show.png': own('poster'),
    'Breaking Bad/Season 02/Breaking Bad - s02e09.jpg': card(2, 9),
    'banner.jpg': ownIn('banner'),
    'Breaking Bad (2008) {tmdb-1396}/background.jpg': own('backdrop'),
    'Breaking Bad/Season 05/Breaking Bad - s05e01 - Live Free or Die.jpg': card(5, 1),
    'Breaking Bad/fanart.png': own('backdrop'),
  }),
  ...apart('kodi', breakingBad, {
    'Breaking Bad S03E13-thumb.jpg': card(3, 13),
    'season03-poster.jpg': season(3),
    'clearlogo.png': own('logo'),
    'season-all-poster.jpg': either(own('poster')),
    'Season 2/folder.jpg': season(2),
    'clearart.png': unmatched('no_slot'),
    'Season 4/Breaking Bad S04E06-thumb.jpg': card(4, 6),
    'season05-fanart.png': season(5, 'backdrop'),
  }),
  ...apart('titlecardmaker', breakingBad, {
    'Breaking Bad (2008)/Season 3/Breaking Bad (2008) - S03E06 - Sunset.jpg': card(3, 6),
    'Breaking Bad (2008) - S04E10 - Salud.png': card(4, 10),
    'Breaking Bad (2008) - S05E01-E02 - Live Free or Die.jpg': either(card(5, 1), card(5, 2)),
    'Season 01/Breaking Bad (2008) - S01E04 - Cancer Man.webp': card(1, 4),
    'Breaking Bad (2008) - S02E03 - Bit by a Dead Bee.jpg': card(2, 3),
  }),
  ...apart('titlecardmaker', saltmarsh, {
    'Saltmarsh The Long Watch (2014)/Specials/Saltmarsh The Long Watch (2014) - S00E03 - Tides and Liars.jpg':
      marsh.card(0, 3),
  }),
  ...apart('mediux', breakingBad, {
    'Breaking Bad (2008) - S02 E12.jpg': card(2, 12),
    'Breaking Bad (2008) - Season 3.jpg': season(3),
    'Breaking Bad (2008) .jpg': own('poster'),
    '0d5f3f0e-8b52-4c3f-9a55-1c7a0f4b6d21.jpg': unmatched('says_nothing'),
  }),
  ...apart('mediux', saltmarsh, {
    'Saltmarsh- The Long Watch (2014) - Backdrop.jpg': marsh.own('backdrop'),
    'Saltmarsh- The Long Watch (2014) - Specials.jpg': marsh.season(0),
  }),
  ...apart('theposterdb', breakingBad, {
    'Breaking Bad (2008) - Season 5.png': season(5),
    'Breaking Bad (2008) set by a curator - 2022-03-04/Breaking Bad (2008) - Season 1.jpg': season(1),
    'Breaking Bad (2008) - Specials.jpg': unmatched('no_such_season'),
  }),
  ...apart('theposterdb', backToTheFuture, {
    'Back to the Future Part III (1990).jpg': future.film('Back to the Future Part III'),
    'Back to the Future Collection.png': future.own('poster'),
  }),
  ...apart('mediux', sherlock, {
    'Sherlock (2010) - S03 E03.jpg': partsOf(sherlock).card(3, 3),
  }),
  ...apart('mediux', backToTheFuture, {
    'Back to the Future Part II (1989).jpg': future.film('Back to the Future Part II'),
  }),
  ...apart('theposterdb', puddleSaga, {
    'The Puddle Saga Collection.jpg': filmsOf(puddleSaga).own('poster'),
  }),
  ...apart('theposterdb', saltmarsh, {
    'Saltmarsh The Long Watch (2014) - Season 3.jpg': marsh.season(3),
  }),
];
