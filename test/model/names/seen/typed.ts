import { breakingBad } from '../contexts/breaking-bad.ts';
import { dailyThimble } from '../contexts/daily-thimble.ts';
import { backToTheFuture, bladeRunner2049 } from '../contexts/films.ts';
import { firefly } from '../contexts/firefly.ts';
import { portal2 } from '../contexts/games.ts';
import { puddlewick } from '../contexts/puddlewick.ts';
import { saltmarsh } from '../contexts/saltmarsh.ts';
import { sherlock } from '../contexts/sherlock.ts';
import { apart, either, filmsOf, ownOf, partsOf, together, unmatched } from '../expectations.ts';

const { own, season, card } = partsOf(breakingBad);
const ship = partsOf(firefly);
const marsh = partsOf(saltmarsh);
const thimble = partsOf(dailyThimble);
const tuesday = partsOf(puddlewick);
const series = partsOf(sherlock);
const future = filmsOf(backToTheFuture);
const bladeRunner = ownOf(bladeRunner2049);
const portal = ownOf(portal2);

/** As people, their file managers, their telephones and their programs write names. */
export const typed = [
  ...apart('copies', firefly, {
    'Copy of Firefly 1x03.jpg': ship.card(1, 3),
    'Copy (2) of Firefly 1x04.jpg': either(ship.card(1, 4)),
    'Kopie von Firefly - S01E05.png': ship.card(1, 5),
    'Copie de Firefly S01E06.jpg': ship.card(1, 6),
    'copia de S01E07.jpg': ship.card(1, 7),
    'Cópia de Firefly - S01E08 - Out of Gas.jpg': ship.card(1, 8),
    'Firefly - S01E09 - Copy.jpg': ship.card(1, 9),
    'Firefly - S01E10 - Copy (3).jpg': ship.card(1, 10),
    'Firefly S01E11 - Kopie.jpg': ship.card(1, 11),
    'Firefly S01E12 - копия.jpg': ship.card(1, 12),
    'Firefly S01E13 - コピー.jpg': ship.card(1, 13),
    'Firefly S01E14 的副本.jpg': ship.card(1, 14),
    'Copy of Serenity.jpg': ship.card(1, 1),
    'Copy of poster.jpg': ship.own('poster'),
    'Kopi af Firefly - Backdrop.jpg': ship.own('backdrop'),
    'Copy of Better Call Saul S01E01.jpg': unmatched('other_work'),
    'Copy of IMG_0042.jpg': unmatched('says_nothing'),
  }),
  ...together('copies', firefly, {
    'Firefly S01E02.jpg': either(ship.card(1, 2)),
    'Copy of Firefly S01E02.jpg': either(ship.card(1, 2)),
  }),
  ...apart('copies', bladeRunner2049, {
    'Copy of Blade Runner 2049 (2017).jpg': bladeRunner('poster'),
    'Blade Runner 2049 (2017) - Kopie.jpg': bladeRunner('poster'),
    'Copy of Alien (1979).jpg': unmatched('other_work'),
  }),
  ...apart('devices', breakingBad, {
    'IMG_2034.jpg': unmatched('says_nothing'),
    'IMG_0203 (1).jpg': unmatched('says_nothing'),
    'IMG-20260102-WA0003.jpg': unmatched('says_nothing'),
    'DSC_0034.jpg': unmatched('says_nothing'),
    'DSCF0103.jpg': unmatched('says_nothing'),
    '_MG_0102.jpg': unmatched('says_nothing'),
    'P1010105.jpg': unmatched('says_nothing'),
    'GOPR0101.jpg': unmatched('says_nothing'),
    '100_0102.jpg': unmatched('says_nothing'),
    'PXL_20260102_101112345.jpg': unmatched('says_nothing'),
    '20260102_101112.jpg': unmatched('says_nothing'),
    'Screenshot 2026-01-02 at 10.11.12.png': unmatched('says_nothing'),
    'Screenshot_20260102-101112_Gallery.jpg': unmatched('says_nothing'),
    'Screenshot (12).png': unmatched('says_nothing'),
    'Bildschirmfoto 2026-01-02 um 10.11.12.png': unmatched('says_nothing'),
    'WhatsApp Image 2026-01-02 at 10.11.12.jpeg': unmatched('says_nothing'),
    'photo_2026-01-02_10-11-12.jpg': unmatched('says_nothing'),
    'FB_IMG_1734567890123.jpg': unmatched('says_nothing'),
    '01020304-89ab-4cde-8f01-23456789abcd.png': unmatched('says_nothing'),
    'd41d8cd98f00b204e9800998ecf8427e.jpg': unmatched('says_nothing'),
    'scan0003.jpg': unmatched('says_nothing'),
    'Scan 3.jpg': unmatched('says_nothing'),
    'Season 1/IMG_0003.jpg': unmatched('says_nothing'),
    'Breaking Bad/Season 2/DSC_0005.jpg': unmatched('says_nothing'),
    // A person has named it after all.
    'IMG_2034 S01E02.jpg': either(card(1, 2)),
  }),
  ...apart('devices', dailyThimble, {
    '20200229_101112.jpg': either(thimble.card(2020, 2)),
    'Screenshot 2020-02-29 at 10.11.12.png': unmatched('says_nothing'),
    'photo_2020-03-04_10-11-12.jpg': unmatched('says_nothing'),
  }),
  ...apart('devices', bladeRunner2049, {
    'IMG_2049.jpg': unmatched('says_nothing'),
    'Screenshot 2026-01-02 101112.png': unmatched('says_nothing'),
  }),
  ...apart('exports', firefly, {
    // Sonarr, Plex, Jellyfin and Kodi, releases, TitleCardMaker, MediUX.
    'Firefly (2002) - S01E02 - The Train Job [Bluray-1080p][x264]-GROUP.jpg': ship.card(1, 2),
    'Firefly (2002) {tvdb-78874} - S01E03 - Bushwhacked [WEBDL-1080p].jpg': ship.card(1, 3),
    'Firefly.2002.S01E04.Shindig.1080p.BluRay.x265-RARBG.jpg': ship.card(1, 4),
    'Firefly.S01E05.720p.WEB-DL.DD5.1.H.264-NTb-thumb.jpg': ship.card(1, 5),
    'firefly_1x06_our_mrs_reynolds.jpg': ship.card(1, 6),
    'Firefly - 1x07 - Jaynestown.jpg': ship.card(1, 7),
    'Firefly (2002)/Season 01/Firefly (2002) - s01e08 - Out of Gas-thumb.jpg': ship.card(1, 8),
    'Firefly (2002) [tvdbid-78874]/backdrop.jpg': ship.own('backdrop'),
    'Firefly (2002) [tvdbid-78874]/season01-poster.jpg': ship.season(1),
    'Firefly (2002)/backdrop2.jpg': ship.own('backdrop'),
    'Firefly (2002)/Season01-poster.jpg': ship.season(1),
    'Firefly (2002) - S01 E09.jpg': ship.card(1, 9),
    'Firefly (2002) - S1 E10.jpg': ship.card(1, 10),
    'Firefly (2002) - Season 1.jpg': ship.season(1),
    'assets/Firefly (2002)/S01E11.jpg': ship.card(1, 11),
    'Firefly - S01E12-E13.jpg': either(ship.card(1, 12), ship.card(1, 13)),
    'Firefly S01E13 S01E14.jpg': either(ship.card(1, 13), ship.card(1, 14)),
    'Firefly (2002)/movieposter.jpg': ship.own('poster'),
    'Firefly (2002)/tvthumb.jpg': ship.own('thumb'),
    'Firefly (2002)/hdclearlogo.png': ship.own('logo'),
    'Firefly (2002)/seasonbanner.jpg': unmatched('no_slot'),
  }),
  ...apart('exports', backToTheFuture, {
    // Radarr.
    'Back to the Future (1985) [imdbid-tt0088763]/fanart.jpg': future.film('Back to the Future', 'backdrop'),
    'Back.to.the.Future.Part.II.1989.1080p.BluRay.x264.jpg': future.film('Back to the Future Part II'),
    'Back to the Future Part III (1990) {tmdb-196}/clearlogo.png': future.film(
      'Back to the Future Part III',
      'logo',
    ),
    'Back to the Future (1985)-poster.jpg': future.film('Back to the Future'),
  }),
  ...apart('other-languages', breakingBad, {
    'Temporada 1 Capítulo 2.jpg': card(1, 2),
    'T01E03.jpg': card(1, 3),
    'Breaking Bad T2 E4.jpg': card(2, 4),
    '1ª temporada.jpg': season(1),
    '2. Staffel.jpg': season(2),
    '2. Staffel 3. Folge.jpg': card(2, 3),
    'Breaking Bad Staffel 3 Folge 04.jpg': card(3, 4),
    '1 сезон 2 серия.jpg': card(1, 2),
    'Сезон 4 Серия 5.jpg': card(4, 5),
    '3 сезон.jpg': season(3),
    'Sezon 1 Bölüm 5.jpg': card(1, 5),
    '1. évad 6. rész.jpg': card(1, 6),
    '第1季第7集.jpg': card(1, 7),
    'シーズン2 第5話.jpg': card(2, 5),
    '시즌 2 6화.jpg': card(2, 6),
    'Seizoen 2 Aflevering 7.jpg': card(2, 7),
    'Säsong 3 Avsnitt 8.jpg': card(3, 8),
    'Stagione 5 Episodio 9.jpg': card(5, 9),
    'Saison 5.jpg': season(5),
    'Breaking Bad Plakat.jpg': own('poster'),
    'Breaking Bad Affiche.jpg': own('poster'),
  }),
  ...apart('sequences', puddlewick, {
    '[Group] Puddlewick Every Tuesday - 012 (1080p) [ABCD1234].jpg': tuesday.card(1, 12),
    '[Group] Puddlewick Every Tuesday - 12v2 [1080p][HEVC].jpg': tuesday.card(1, 12),
    'Puddlewick_Every_Tuesday_-_045_[720p].jpg': tuesday.card(1, 45),
    'Puddlewick Every Tuesday Episode 099.jpg': tuesday.card(1, 99),
    'Puddlewick Every Tuesday #110.jpg': tuesday.card(1, 110),
    'Puddlewick Every Tuesday 130.jpg': unmatched('no_such_episode'),
  }),
  ...apart('years', firefly, {
    'Serenity.jpg': ship.card(1, 1),
    // The film, three years later.
    'Serenity (2005).jpg': unmatched('other_work'),
    'Serenity.2005.1080p.BluRay.jpg': unmatched('other_work'),
    'Serenity (2005)/poster.jpg': unmatched('other_work'),
    'Ariel (1988).jpg': unmatched('other_work'),
    'Firefly (2002).jpg': ship.own('poster'),
    'Firefly [2002].jpg': ship.own('poster'),
    'Firefly 2002 Season 1.jpg': ship.season(1),
    'Firefly (2003) - S01E02.jpg': either(ship.card(1, 2)),
    'Firefly (1999) - S01E02.jpg': unmatched('other_work'),
  }),
  ...apart('years', sherlock, {
    'Sherlock 2010 S01E02.jpg': series.card(1, 2),
    'Sherlock (2010) - Series 3.jpg': series.season(3),
  }),
  ...apart('dates', dailyThimble, {
    'The Daily Thimble 2020-02-29.jpg': thimble.card(2020, 2),
    'The.Daily.Thimble.2020.03.04.1080p.WEB.h264.jpg': thimble.card(2020, 3),
    'The Daily Thimble - 2020-08-31 - It Was a Spoon [WEBDL-720p].jpg': thimble.card(2020, 4),
  }),
  ...apart('slot-words', firefly, {
    'Firefly square.jpg': ship.own('squareArt'),
    'Firefly - square art.jpg': ship.own('squareArt'),
    'Firefly album.jpg': ship.own('squareArt'),
    'Firefly S01 square.jpg': either(ship.own('squareArt')),
    'Firefly bg.jpg': ship.own('backdrop'),
    'Firefly clearlogo.png': ship.own('logo'),
    'Firefly thumb.jpg': ship.own('thumb'),
    'Firefly cover.jpg': ship.own('poster'),
    'Firefly banner.jpg': ship.ownIn('banner'),
    'Firefly hero.jpg': ship.ownIn('hero'),
  }),
  ...apart('slot-words', portal2, {
    'Portal 2 square.png': portal('squareCover'),
    'Portal 2 bg.jpg': portal('background'),
    'Portal 2 front cover.jpg': portal('cover'),
    'Portal 2 wide.png': either(portal('wideCover'), portal('hero')),
  }),
  ...apart('slot-words', saltmarsh, {
    'Saltmarsh - The Long Watch - wallpaper.jpg': either(marsh.own('backdrop')),
    'Saltmarsh - The Long Watch (2014) - title card S01E02.jpg': marsh.card(1, 2),
  }),
];
