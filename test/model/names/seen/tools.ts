import { breakingBad } from '../contexts/breaking-bad.ts';
import { backToTheFuture, bladeRunner2049, puddleSaga } from '../contexts/films.ts';
import { mossbottom } from '../contexts/mossbottom.ts';
import { saltmarsh } from '../contexts/saltmarsh.ts';
import { sherlock } from '../contexts/sherlock.ts';
import { apart, either, filmsOf, ignored, ownOf, partsOf, unmatched } from '../expectations.ts';

const { own, ownIn, season, seasonIn, card } = partsOf(breakingBad);
const marsh = partsOf(saltmarsh);
const series = partsOf(sherlock);
const future = filmsOf(backToTheFuture);
const puddles = filmsOf(puddleSaga);

export const tools = [
  ...apart('kometa', breakingBad, {
    'Breaking Bad (2008)/poster.jpg': own('poster'),
    'Breaking Bad (2008)/background.jpg': own('backdrop'),
    'Breaking Bad (2008)/logo.png': own('logo'),
    'Breaking Bad (2008)/Season01.jpg': season(1),
    'Breaking Bad (2008)/Season01_background.jpg': season(1, 'backdrop'),
    'Breaking Bad (2008)/S01E01.jpg': card(1, 1),
    'Breaking Bad (2008) {tvdb-81189}/S04E08.jpg': card(4, 8),
    'Breaking Bad (2008)_Season02.png': season(2),
    'Breaking Bad (2008)_Season05_background.jpg': season(5, 'backdrop'),
    'Breaking Bad (2008)_S03E09.jpg': card(3, 9),
    'S01E05_background.jpg': unmatched('no_slot'),
    'Season03_logo.png': seasonIn(3, 'logo'),
    'Breaking Bad (2008)/Season00.jpg': unmatched('no_such_season'),
  }),
  ...apart('kometa', saltmarsh, {
    'Saltmarsh The Long Watch (2014)/Season00.jpg': marsh.season(0),
  }),
  ...apart('plex', breakingBad, {
    'show.jpg': own('poster'),
    'folder.jpg': own('poster'),
    'fanart.jpg': own('backdrop'),
    'background-1.jpg': own('backdrop'),
    'Breaking Bad/poster.jpg': own('poster'),
    'Breaking Bad/Season 01/Season01.jpg': season(1),
    'Season 03/Season03b.jpg': either(season(3)),
    'Breaking Bad/Season 01/Breaking Bad - s01e05.jpg': card(1, 5),
    'Breaking Bad (2008) {imdb-tt0903747}/Season 02/Breaking Bad (2008) - s02e04 - Down.jpg': card(2, 4),
    'Season 02/Season03.jpg': either(season(2), season(3)),
    'art.jpg': either(own('backdrop')),
    'Breaking Bad/banner.jpg': ownIn('banner'),
    'Breaking Bad/theme.mp3': ignored,
  }),
  ...apart('plex', saltmarsh, {
    'Saltmarsh The Long Watch/Specials/season-specials-poster.jpg': marsh.season(0),
  }),
  ...apart('kodi', breakingBad, {
    'S01E04-thumb.jpg': card(1, 4),
    'Breaking.Bad.S02E11-thumb.png': card(2, 11),
    'season01-poster.jpg': season(1),
    'season02-fanart.jpg': season(2, 'backdrop'),
    'Season 5/poster.webp': season(5),
    'Breaking Bad/clearlogo.png': own('logo'),
    'season04-banner.jpg': seasonIn(4, 'banner'),
    'characterart.png': unmatched('no_slot'),
    'season-specials-poster.jpg': unmatched('no_such_season'),
    'tvshow.nfo': ignored,
    'keyart.jpg': either(own('poster')),
    'season-all-fanart.jpg': either(own('backdrop')),
    'extrafanart/fanart1.jpg': either(own('backdrop')),
    'season01-landscape.jpg': either(season(1, 'backdrop')),
  }),
  ...apart('kodi', saltmarsh, {
    'season-specials-fanart.jpg': marsh.season(0, 'backdrop'),
  }),
  ...apart('titlecardmaker', breakingBad, {
    'Breaking Bad (2008)/Season 1/Breaking Bad (2008) - S01E01 - Pilot.jpg': card(1, 1),
    "Breaking Bad (2008)/Season 1/Breaking Bad (2008) - S01E02 - Cat's in the Bag....jpg": card(1, 2),
    'Breaking Bad (2008)/Season 02/Breaking Bad (2008) - S02E02 - Grilled.jpg': card(2, 2),
    'Breaking Bad (2008) - S03E03 - I.F.T.jpg': card(3, 3),
    'Breaking Bad (2008) - S05E13 - To’hajiilee.jpg': card(5, 13),
    'Breaking Bad (2008)/Season 4/S04E11.jpg': card(4, 11),
    'Breaking Bad (2008) - S01E01-E02 - Pilot.jpg': either(card(1, 1), card(1, 2)),
    // What a card is made from, not the card.
    'Breaking Bad (2008)/source/s1e1.jpg': either(card(1, 1)),
  }),
  ...apart('titlecardmaker', saltmarsh, {
    'Saltmarsh The Long Watch (2014)/Season 2/Saltmarsh The Long Watch (2014) - S02E04 - Who Lit the Lamp.jpg':
      marsh.card(2, 4),
    'Saltmarsh The Long Watch (2014) - S00E01 - Before the Watch.png': marsh.card(0, 1),
  }),
  ...apart('mediux', breakingBad, {
    'Breaking Bad (2008) - S01 E02.jpg': card(1, 2),
    'Breaking Bad (2008) - S05 E16.jpg': card(5, 16),
    'Breaking Bad (2008) - S03 E07 .jpg': card(3, 7),
    'Breaking Bad (2008) - Season 1.jpg': season(1),
    'Breaking Bad (2008) - Backdrop.jpg': own('backdrop'),
    'Breaking Bad (2008).jpg': own('poster'),
    'Breaking Bad (2008) Set 12345/Breaking Bad (2008) - S02 E02.jpg': card(2, 2),
    'Breaking Bad (2008) - Season 10.jpg': unmatched('no_such_season'),
    'c2a14bf0-5d0e-4f39-8a57-93e7b6d20c11.png': unmatched('says_nothing'),
  }),
  ...apart('mediux', saltmarsh, {
    'Saltmarsh- The Long Watch (2014) - S01 E03.jpg': marsh.card(1, 3),
    'Saltmarsh- The Long Watch (2014) - Season 2.jpg': marsh.season(2),
    'Saltmarsh- The Long Watch (2014).jpg': marsh.own('poster'),
  }),
  ...apart('mediux', sherlock, {
    'Sherlock (2010) - Specials.jpg': series.season(0),
  }),
  ...apart('mediux', backToTheFuture, {
    'Back to the Future (1985) - Backdrop.jpg': future.film('Back to the Future', 'backdrop'),
    'Backdrop.jpg': future.own('backdrop'),
  }),
  ...apart('theposterdb', breakingBad, {
    'Breaking Bad (2008) - Season 2.png': season(2),
    'Breaking Bad (2008) - Season 04.jpg': season(4),
    'Breaking Bad (2008).png': own('poster'),
    'Breaking Bad (2008) (2).jpg': own('poster'),
    'Breaking Bad (2008) set by a curator - 2021-09-12/Breaking Bad (2008).jpg': own('poster'),
    'Breaking Bad (2008) - Season 6.jpg': unmatched('no_such_season'),
  }),
  ...apart('theposterdb', sherlock, {
    'Sherlock (2010) - Season 1.png': series.season(1),
    'Sherlock (2010) - Specials.png': series.season(0),
  }),
  ...apart('theposterdb', mossbottom, {
    'Four Winters in Mossbottom (1981) - Season 4.jpg': partsOf(mossbottom).season(4),
  }),
  ...apart('theposterdb', backToTheFuture, {
    'Back to the Future (1985).jpg': future.film('Back to the Future'),
    'Back to the Future Collection.jpg': future.own('poster'),
  }),
  ...apart('theposterdb', puddleSaga, {
    'Puddle 3 (1970).png': puddles.film('Puddle 3'),
  }),
  ...apart('theposterdb', bladeRunner2049, {
    'Blade Runner 2049 (2017).png': ownOf(bladeRunner2049)('poster'),
  }),
];
