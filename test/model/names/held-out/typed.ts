import { breakingBad } from '../contexts/breaking-bad.ts';
import { dailyThimble } from '../contexts/daily-thimble.ts';
import { backToTheFuture, bladeRunner2049, puddleSaga } from '../contexts/films.ts';
import { firefly } from '../contexts/firefly.ts';
import { lamplighters, portal2 } from '../contexts/games.ts';
import { puddlewick } from '../contexts/puddlewick.ts';
import { saltmarsh } from '../contexts/saltmarsh.ts';
import { sherlock } from '../contexts/sherlock.ts';
import { apart, either, filmsOf, ownOf, partsOf, unmatched } from '../expectations.ts';

const { own, season, card } = partsOf(breakingBad);
const ship = partsOf(firefly);
const marsh = partsOf(saltmarsh);
const thimble = partsOf(dailyThimble);
const tuesday = partsOf(puddlewick);
const series = partsOf(sherlock);
const future = filmsOf(backToTheFuture);
const bladeRunner = ownOf(bladeRunner2049);
const portal = ownOf(portal2);

/** Written after the code that reads such names, which was not changed for any of them. */
export const typed = [
  ...apart('copies', breakingBad, {
    'Copy of Breaking Bad - S02E03.jpg': card(2, 3),
    'Kopie van S03E04.jpg': card(3, 4),
    'Kopia av Breaking Bad S04E05.jpg': card(4, 5),
    'Breaking Bad S05E06 copy 2.jpg': card(5, 6),
    'Season 2 - Kopie.jpg': season(2),
    'Copia di Breaking Bad - Logo.png': own('logo'),
    'Breaking Bad 4x07 - 副本.jpg': card(4, 7),
    'Copy of Copy of S05E07.jpg': card(5, 7),
    'Copy of Better Call Saul (2015).jpg': unmatched('other_work'),
  }),
  ...apart('devices', firefly, {
    'IMG_0007.HEIC.jpg': unmatched('says_nothing'),
    'DSC00012.jpg': unmatched('says_nothing'),
    'MVIMG_20260102_101112.jpg': unmatched('says_nothing'),
    'Screenshot from 2026-01-02 10-11-12.png': unmatched('says_nothing'),
    "Capture d'écran 2026-01-02 101112.png": unmatched('says_nothing'),
    'signal-2026-01-02-101112_002.jpeg': unmatched('says_nothing'),
    'image0 (3).jpeg': unmatched('says_nothing'),
    '3f2504e0-4f89-11d3-9a0c-0305e82c3301 (1).jpg': unmatched('says_nothing'),
    'Scan_0005.png': unmatched('says_nothing'),
    'DJI_0012.jpg': unmatched('says_nothing'),
    'Season 1/Screenshot 2026-01-02 at 10.11.12.png': unmatched('says_nothing'),
    'Firefly/IMG_0004.jpg': unmatched('says_nothing'),
  }),
  ...apart('exports', breakingBad, {
    'Breaking Bad (2008) - S02E03 - Bit by a Dead Bee [AMZN WEBDL-1080p][EAC3 5.1][h264]-NTb.jpg': card(2, 3),
    'Breaking.Bad.S03E10.Fly.2160p.UHD.BluRay.x265-GROUP.png': card(3, 10),
    'Breaking Bad (2008)/Season 05/Breaking Bad (2008) - s05e14 - Ozymandias.jpg': card(5, 14),
    'Breaking Bad (2008) [tmdbid-1396]/season02-poster.jpg': season(2),
    'Breaking Bad (2008)/Season 02/folder.jpg': season(2),
    'Breaking Bad (2008)_Season03_background.png': season(3, 'backdrop'),
    'Breaking Bad (2008) - S4 E12.jpg': card(4, 12),
    'Breaking Bad (2008) - Season 4 (2).jpg': season(4),
    'tvshows/Breaking Bad (2008)/fanart.jpg': own('backdrop'),
    'Breaking Bad - S03E06-S03E07.jpg': either(card(3, 6), card(3, 7)),
    'Breaking Bad (2008)/landscape.jpg': either(own('thumb'), own('backdrop')),
  }),
  ...apart('exports', bladeRunner2049, {
    'Blade.Runner.2049.2017.2160p.UHD.BluRay.x265.HDR.jpg': bladeRunner('poster'),
    'Blade Runner 2049 (2017) [Bluray-1080p]-fanart.jpg': bladeRunner('backdrop'),
  }),
  ...apart('other-languages', firefly, {
    'Firefly Staffel 1 Episode 5.jpg': ship.card(1, 5),
    'Firefly - 1ª Temporada Episódio 6.jpg': ship.card(1, 6),
    'Firefly T1x07.jpg': ship.card(1, 7),
    'Firefly Sezon 1 Odcinek 8.jpg': ship.card(1, 8),
    'Firefly 1. série 9. díl.jpg': ship.card(1, 9),
    'Firefly 第1季 第10集.jpg': ship.card(1, 10),
    'Firefly Sæson 1 Afsnit 11.jpg': ship.card(1, 11),
    'Firefly Kausi 1 Jakso 12.jpg': ship.card(1, 12),
    'Firefly (сезон 1, серия 13).jpg': ship.card(1, 13),
    'Firefly Hintergrund.jpg': ship.own('backdrop'),
  }),
  ...apart('sequences', puddlewick, {
    '[Subs] Puddlewick Every Tuesday - 003 [1080p].png': tuesday.card(1, 3),
    'Puddlewick Every Tuesday Ep. 27.jpg': tuesday.card(1, 27),
    'puddlewick.every.tuesday.e104.jpg': tuesday.card(1, 104),
    'Puddlewick Every Tuesday - 031v3 (BD 1080p).jpg': tuesday.card(1, 31),
    'Puddlewick Every Tuesday - 0121.jpg': unmatched('no_such_episode'),
  }),
  ...apart('years', saltmarsh, {
    'Saltmarsh The Long Watch 2014 S01E01.jpg': marsh.card(1, 1),
    'Saltmarsh The Long Watch (2015) S01E02.jpg': either(marsh.card(1, 2)),
    'Rope (1948).jpg': unmatched('other_work'),
    'Brackish.2019.1080p.WEB-DL.jpg': unmatched('other_work'),
    'High Water (2015).jpg': either(marsh.card(2, 6)),
  }),
  ...apart('years', puddleSaga, {
    'A Puddle [2009].jpg': filmsOf(puddleSaga).film('A Puddle', 'poster', '2009'),
  }),
  ...apart('dates', dailyThimble, {
    'The Daily Thimble (2020) - 2020-02-28 - Steam Expected.jpg': thimble.card(2020, 1),
    'Daily Thimble 2021.12.31.jpg': thimble.card(2021, 5),
    'The.Daily.Thimble.2021.01.01.720p.HDTV.x264.jpg': thimble.card(2021, 1),
  }),
  ...apart('slot-words', sherlock, {
    'Sherlock square.png': series.own('squareArt'),
    'Sherlock (2010) Square Poster.jpg': series.own('squareArt'),
    'Sherlock - wide.jpg': unmatched('no_slot'),
    'Sherlock fan art.jpg': series.own('backdrop'),
    'Sherlock title logo.png': series.own('logo'),
  }),
  ...apart('slot-words', portal2, {
    'Portal 2 hero image.jpg': portal('hero'),
    'Portal 2 - Cover Art.png': portal('cover'),
    'Portal 2 horizontal cover.png': portal('wideCover'),
  }),
  ...apart('slot-words', lamplighters, {
    'Lamplighters II - The Wick album.png': ownOf(lamplighters)('squareCover'),
  }),
  ...apart('slot-words', backToTheFuture, {
    'Back to the Future (1985) square.jpg': future.film('Back to the Future', 'squareArt'),
    'Back to the Future Collection square.jpg': future.own('squareArt'),
  }),
];
