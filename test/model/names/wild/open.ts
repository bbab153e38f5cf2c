import { breakingBad } from '../contexts/breaking-bad.ts';
import { bladeRunner2049, nineteenSeventeen } from '../contexts/films.ts';
import { firefly } from '../contexts/firefly.ts';
import { sherlock } from '../contexts/sherlock.ts';
import { filmsOf, ownOf, partsOf } from '../expectations.ts';
import { ask, leave, names, tell, type WildName } from './types.ts';
import * as works from './works.ts';

const bad = partsOf(breakingBad);
const serenity = partsOf(firefly);
const holmes = partsOf(sherlock);
const office = partsOf(works.office);
const who = partsOf(works.doctorWho);
const galactica = partsOf(works.battlestar);
const hundred = partsOf(works.theHundred);
const emergency = partsOf(works.nineOneOne);
const gate = partsOf(works.stargate);
const sense = partsOf(works.sense8);
const day = partsOf(works.twentyFour);
const fold = partsOf(works.lighthouse);
const kite = partsOf(works.kiteHarbor);
const kettle = partsOf(works.lateKettle);
const cafe = partsOf(works.cafe);
const wars = filmsOf(works.starWars);
const potter = filmsOf(works.harryPotter);
const aliens = filmsOf(works.alien);
const portal = ownOf(works.portal);
const ring = ownOf(works.eldenRing);

const plexShows = 'Plex: support.plex.tv, Naming and organizing your TV show files';
const plexMedia = 'Plex: support.plex.tv, Local media assets';
const jellyfin = 'Jellyfin: jellyfin.org/docs, Shows';
const kodi = 'Kodi: kodi.wiki, Naming video files/Episodes';
const kodiArt = 'Kodi: kodi.wiki, Artwork types';
const emby = 'Emby: support.emby.media, TV Naming';
const sonarr = 'Sonarr: Sonarr/Sonarr#4612, #2343';
const radarr = 'Radarr: Radarr/Radarr#5717, #11202';
const filebot = 'FileBot: filebot.net, Format expressions';
const kometa = 'Kometa: kometa.wiki, Image asset directory guide';
const cards = 'TitleCardMaker: wiki, Options attributes';
const fanartTv = 'fanart.tv: its folders by kind of artwork';
const groups = 'Anime release groups: jellyfin/jellyfin#6864';
const scene = 'Scene releases: guessit-io/guessit#477';

/** Words in brackets beside a title. */
const brackets: readonly WildName[] = [
  ...names('MediUX and ThePosterDB downloads', works.office, {
    'The Office [US] - Season 1.jpg': ask(office.season(1)),
    'The Office [US]/Season 01/S01E02.jpg': ask(office.card(1, 2)),
    'The.Office.US.S01E03.720p.WEB.jpg': ask(office.card(1, 3)),
    'The Office {AU}.jpg': ask(office.own('poster')),
    'The Office (UK)/Season 2/The Office (UK) - S02E04.jpg': ask(office.card(2, 4)),
  }),
  ...names('ThePosterDB downloads', works.godzilla, {
    'Godzilla [Minus One].jpg': ask(ownOf(works.godzilla)('poster')),
    'Godzilla (1954) {Restored}.jpg': ask(ownOf(works.godzilla)('poster')),
    'Godzilla (1998).jpg': leave,
  }),
  ...names('MediUX downloads', works.battlestar, {
    'Battlestar Galactica (Blood & Chrome) - Season 1.jpg': ask(galactica.season(1)),
    'Battlestar Galactica [Razor] S01E02.jpg': ask(galactica.card(1, 2)),
    'Battlestar Galactica (1978) - S01E02.jpg': leave,
  }),
  ...names('Radarr: editions in brackets', nineteenSeventeen, {
    '1917 [Trench Diaries].jpg': ask(ownOf(nineteenSeventeen)('poster')),
    '1917 (2019) [1080p] [BluRay].jpg': ownOf(nineteenSeventeen)('poster'),
  }),
];

/** Numbers with a point, and what looks like channels of sound. */
const points: readonly WildName[] = [
  ...names('AniDB numbering, as release groups write it', firefly, {
    'S01E06.5 - Recap.jpg': ask(serenity.card(1, 6)),
    '1x06,5 Recap.jpg': ask(serenity.card(1, 6)),
    'Episode 13.5 - The Making Of.jpg': ask(serenity.card(1, 13)),
    'Firefly - S01E02.5.png': ask(serenity.card(1, 2)),
  }),
  ...names('Release groups: recaps between two episodes', works.lighthouse, {
    '[Rain] Paper Lighthouse - 06.5 [720p].jpg': ask(fold.card(1, 6)),
    'Paper Lighthouse 08.5 (BD 1080p).jpg': ask(fold.card(1, 8)),
  }),
  ...names('Reports of posters named by film and part', works.harryPotter, {
    'Harry Potter 7.1.jpg': ask(),
    'Harry Potter 7.2 - Backdrop.jpg': ask(),
  }),
  ...names('Jellyfin: jellyfin/jellyfin#8328, seasons with a point', breakingBad, {
    'Breaking Bad 5.1.jpg': ask(bad.card(5, 1)),
    'Breaking Bad 2.0.jpg': ask(),
    '4.13 - Face Off.jpg': bad.card(4, 13),
    '1.05 Gray Matter.jpg': bad.card(1, 5),
    'Breaking.Bad.S05E01.1080p.BluRay.DD5.1.x264-KITE.jpg': bad.card(5, 1),
    'Breaking Bad (2008) [1080p][AAC 5.1].jpg': bad.own('poster'),
  }),
  ...names('Scene releases without their other words', works.alien, {
    'Alien 3 5.1.jpg': ask(aliens.film('Alien³')),
  }),
];

/** A film behind the name of its series. */
const seriesFirst: readonly WildName[] = [
  ...names('Plex: films of a collection under its name', works.starWars, {
    'Star Wars - The Empire Strikes Back (1980).jpg': wars.film('The Empire Strikes Back'),
    'Star Wars Episode VI - Return of the Jedi.jpg': wars.film('Return of the Jedi'),
    'Star Wars 5 - The Empire Strikes Back (1980)/poster.jpg': wars.film('The Empire Strikes Back'),
    'Star Wars - A New Hope (1977).jpg': ask(wars.film('Star Wars')),
    'Star Wars Collection - Return of the Jedi - Logo.png': wars.film('Return of the Jedi', 'logo'),
    'Star Trek - The Motion Picture (1979).jpg': leave,
  }),
  ...names('Emby: numbered films of a folder', works.harryPotter, {
    'Harry Potter 3 - The Prisoner of Azkaban.jpg': potter.film('Harry Potter and the Prisoner of Azkaban'),
    '04. Harry Potter and the Goblet of Fire (2005).jpg': potter.film('Harry Potter and the Goblet of Fire'),
  }),
  ...names('Radarr: numerals and signs in titles', works.alien, {
    'Alien 3 (1992).jpg': aliens.film('Alien³'),
    'Alien 4 - Alien Resurrection (1997).jpg': aliens.film('Alien Resurrection'),
    '02 - Aliens (1986)/fanart.jpg': aliens.film('Aliens', 'backdrop'),
    'Alien vs Predator (2004).jpg': leave,
  }),
];

/** How seasons and numbers are written. */
const notations: readonly WildName[] = [
  ...names('MediUX sets of half seasons', breakingBad, {
    'Season 5 Part 1.jpg': bad.season(5),
    'Breaking Bad - Season 5B.jpg': ask(bad.season(5)),
    'Breaking Bad (3-5).jpg': bad.card(3, 5),
    '1 of 5.jpg': ask(),
    'The Final Season.jpg': bad.season(5),
    'Season Four.jpg': bad.season(4),
    'Breaking Bad - The Complete Second Season.jpg': bad.season(2),
  }),
  ...names('FileBot: numbers out of a total', firefly, {
    'Firefly - 6 of 14.jpg': serenity.card(1, 6),
    'Firefly Ep.09 Ariel.jpg': serenity.card(1, 9),
  }),
  ...names('Plex forum: series of the United Kingdom', sherlock, {
    'Sherlock - Series Two.jpg': holmes.season(2),
    'Sherlock S3.jpg': holmes.season(3),
    'Sherlock 1x2.jpg': holmes.card(1, 2),
  }),
];

/** What stands between the parts of a name, and numbers without it. */
const separators: readonly WildName[] = [
  ...names('Web pages that save pictures by slug', breakingBad, {
    'breaking-bad-2008-s01e02.jpg': bad.card(1, 2),
    'Breaking Bad - 2008 - S01E01.jpg': bad.card(1, 1),
    'breaking_bad_2008_1x05.png': bad.card(1, 5),
    'BreakingBad.S01E03.jpg': bad.card(1, 3),
    'Breaking+Bad+2008+S02E05.jpg': bad.card(2, 5),
    'Breaking Bad – 2008 – S02E04.jpg': bad.card(2, 4),
    'breaking-bad-season-3-poster.jpg': bad.season(3),
  }),
  ...names('Kodi: kodi.wiki, season and episode as one number', firefly, {
    'Firefly 106.jpg': ask(serenity.card(1, 6)),
    'firefly.0109.png': ask(serenity.card(1, 9)),
  }),
  ...names('Typed by hand', firefly, {
    'Jaynestwn.jpg': ask(serenity.card(1, 7)),
    'Bushwaked.png': ask(serenity.card(1, 3)),
    'Firefly - Our Mr. Reynolds.jpg': ask(serenity.card(1, 6)),
    'Copy of S01E08.jpg': serenity.card(1, 8),
  }),
  ...names(
    'Copies that Explorer and Finder make',
    firefly,
    { 'S01E02 - Copy.jpg': ask(serenity.card(1, 2)) },
    { beside: ['S01E02.jpg'], same: true },
  ),
  ...names(
    'Copies that Explorer and Finder make',
    firefly,
    { 'Train Job (copy).png': ask(serenity.card(1, 2)) },
    { beside: ['The Train Job.png', 'Ariel.png', 'Trash.png', 'Safe.png'], same: true },
  ),
];

/** Folders and suffixes that tools name slots by. */
const slotTools: readonly WildName[] = [
  ...names(fanartTv, firefly, {
    'hdtvlogo/firefly-4fd70d367aeab.png': serenity.own('logo'),
    'showbackground/firefly-4f61b2ac0a7e1.jpg': serenity.own('backdrop'),
    'tvposter/firefly-52b1f0c8e1d22.jpg': serenity.own('poster'),
    'tvthumb/firefly-502fbd2d31a6c.jpg': serenity.own('thumb'),
    'tvbanner/firefly-502fbd2d3aa01.jpg': leave,
  }),
  ...names(fanartTv, works.amelie, {
    'hdmovielogo/amelie-5046fa1b22c3d.png': ownOf(works.amelie)('logo'),
    'moviebackground/amelie-4f9b0a1c2d3e4.jpg': ownOf(works.amelie)('backdrop'),
  }),
  ...names('LaunchBox: Images, by platform and kind', works.portal, {
    'Box - Front/Portal 2-01.png': portal('cover'),
    'Clear Logo/Portal 2-01.png': portal('logo'),
    'Fanart - Background/Portal 2-01.jpg': portal('background'),
  }),
  ...names(
    'Steam ROM Manager: names of grids',
    works.portal,
    { 'Portal 2.banner.png': portal('wideCover') },
    { size: [920, 430] },
  ),
  ...names('Steam: pictures of the library cache', works.eldenRing, {
    'library_hero.jpg': ring('hero'),
    'Elden Ring (library_600x900).jpg': ring('cover'),
    'Elden Ring_logo.png': ring('logo'),
    'Elden Ring - icon.png': ring('icon'),
  }),
];

/** Pictures whose names have no ending of one. */
const odd: readonly WildName[] = [
  ...names('Browsers and Twitter: endings of saved pictures', firefly, {
    'S01E03.jpg_large': tell,
    poster: tell,
    'S01E04.jpg.1': tell,
    'fanart.jpg~': tell,
    'S01E06.jpg.bak': tell,
    'Season 1.png_orig': tell,
  }),
];

const players: readonly WildName[] = [
  ...names(plexShows, works.doctorWho, {
    'Doctor Who (2005) {tvdb-78804}/Season 01/Doctor Who (2005) - s01e06 - Dalek.jpg': who.card(1, 6),
    'Doctor Who (2005)/Specials/Doctor Who (2005) - s00e02 - The Christmas Invasion.jpg': who.card(0, 2),
    'Doctor Who (2005) - s02e01-e02.jpg': ask(who.card(2, 1)),
    'Doctor Who (1963) - s01e01.jpg': leave,
    'Doctor Who (2005)/Season 03/Doctor Who (2005) - s03e01.jpg': leave,
  }),
  ...names(plexMedia, works.doctorWho, {
    'Doctor Who (2005)/Season02.jpg': who.season(2),
    'Doctor Who (2005)/season-specials-poster.jpg': who.season(0),
    'Season 01/Season01-2.jpg': ask(who.season(1)),
    'art.jpg': who.own('backdrop'),
    'poster-2.jpg': who.own('poster'),
  }),
  ...names(jellyfin, works.theHundred, {
    'The 100 (2014)/Season 01/The 100 S01E01-E02.jpg': ask(hundred.card(1, 1)),
    'The 100 (2014) [tvdbid-268592]/Season 02/The 100 S02E16.jpg': hundred.card(2, 16),
    'The 100 Season 02/cover.jpg': hundred.season(2),
    'season01-poster.jpg': hundred.season(1),
    'The 100.jpg': hundred.own('poster'),
    'The 100 - 07.jpg': ask(hundred.card(1, 7)),
    'Season 02 [2015]/folder.jpg': hundred.season(2),
  }),
  ...names('Jellyfin: jellyfin/jellyfin#6928, numbers in titles', works.stargate, {
    'Stargate SG-1/Season 3/Stargate SG-1 - S03E14.jpg': gate.card(3, 14),
    'stargate.sg1.s02e09.jpg': gate.card(2, 9),
    'Stargate SG-1.jpg': gate.own('poster'),
    'Stargate Atlantis - S01E03.jpg': leave,
  }),
  ...names('Jellyfin: jellyfin/jellyfin#5221', works.sense8, {
    'Sense8 S02E03.jpg': sense.card(2, 3),
    'Sense8 (2015) - Season 1.png': sense.season(1),
    'sense8-fanart.jpg': sense.own('backdrop'),
  }),
  ...names(kodi, breakingBad, {
    'anything_s01e02.jpg': leave,
    'Breaking Bad/s01.e05.jpg': bad.card(1, 5),
    'Breaking Bad/s01_e06.jpg': bad.card(1, 6),
    'Breaking Bad/S03E05-thumb.jpg': bad.card(3, 5),
    'Breaking Bad/S02E03S02E04.jpg': ask(bad.card(2, 3)),
  }),
  ...names(kodiArt, breakingBad, {
    'season03-fanart.jpg': bad.season(3, 'backdrop'),
    'season-all-poster.jpg': ask(bad.own('poster')),
    'clearart.png': leave,
    '.actors/Bryan_Cranston.jpg': leave,
    'extrafanart/fanart3.jpg': bad.own('backdrop'),
    'season00-poster.jpg': leave,
  }),
  ...names(emby, works.twentyFour, {
    '24 (2001)/Season 1/24 S01E05.jpg': day.card(1, 5),
    '24/Season 2/24 2x13.jpg': day.card(2, 13),
    '24 - 05.jpg': ask(day.card(1, 5)),
    'Season 3/24.jpg': ask(day.card(3, 24)),
    '24 Season 2 folder.jpg': day.season(2),
  }),
  ...names('Emby: support.emby.media, Movie Naming', bladeRunner2049, {
    'Blade Runner 2049 (2017)/Blade Runner 2049-backdrop.jpg': ownOf(bladeRunner2049)('backdrop'),
    'Blade Runner 2049-poster.de.jpg': ownOf(bladeRunner2049)('poster'),
    'Blade Runner (1982).jpg': leave,
    'Blade Runner.jpg': ask(ownOf(bladeRunner2049)('poster')),
  }),
];

const managers: readonly WildName[] = [
  ...names(sonarr, works.nineOneOne, {
    '9-1-1 (2018) - S01E04 - TBA [WEBDL-1080p][EAC3 5.1][h264]-NTb.jpg': emergency.card(1, 4),
    '9-1-1.S02E11.720p.HDTV.x264-AVS.jpg': emergency.card(2, 11),
    '911 S01E02.jpg': emergency.card(1, 2),
    '9-1-1 - Season 02.jpg': emergency.season(2),
    '9-1-1 Lone Star - S01E01.jpg': ask(emergency.card(1, 1)),
    '9-1-1 - S01E01-02-03.jpg': ask(emergency.card(1, 1)),
  }),
  ...names(sonarr, works.kiteHarbor, {
    'Kite Harbor - 014 - S02E02.jpg': kite.card(2, 2),
    'Kite Harbor.E03.1080p.WEB.x264-AnURL.jpg': ask(kite.card(1, 3)),
    'Kite Harbor S02 - EP05 VOSTFR [1080p].jpg': kite.card(2, 5),
  }),
  ...names(radarr, works.finalCut, {
    'The.Final.Cut.2004.1080p.WEB.H264-DiM.jpg': ownOf(works.finalCut)('poster'),
    'The Final Cut (2004) {imdb-tt0364343}/poster.jpg': ownOf(works.finalCut)('poster'),
    'Final Cut, The (2004)-fanart.jpg': ownOf(works.finalCut)('backdrop'),
    'The Final Cut (2022).jpg': leave,
  }),
  ...names(radarr, bladeRunner2049, {
    'Blade Runner 2049 (2017) Bluray BD50.jpg': ownOf(bladeRunner2049)('poster'),
    'Blade Runner 2049 (2017) {edition-IMAX}/poster.jpg': ownOf(bladeRunner2049)('poster'),
    'Blade.Runner.2049.2017.REMASTERED.EXTENDED.German.1080p.x265-Lorem.jpg':
      ownOf(bladeRunner2049)('poster'),
  }),
  ...names('tinyMediaManager: file naming of artwork', sherlock, {
    'Sherlock (2010)/season01-thumb.jpg': leave,
    'Sherlock (2010)/Season 2/season02.jpg': holmes.season(2),
    'Sherlock (2010)/Sherlock.S03E02.The Sign of Three-thumb.jpg': holmes.card(3, 2),
    'Sherlock (2010)/clearlogo.png': holmes.own('logo'),
    'Sherlock (2010)/Staffel 4/poster.jpg': holmes.season(4),
  }),
  ...names('MediaElch: Komet/MediaElch#254', sherlock, {
    'season00-poster.jpg': holmes.season(0),
    'season-specials-fanart.jpg': holmes.season(0, 'backdrop'),
    'season02-banner.jpg': leave,
  }),
  ...names(filebot, sherlock, {
    'Sherlock - 2x03 - The Reichenbach Fall.jpg': holmes.card(2, 3),
    'Sherlock - 3x03 - The Lying Detective.jpg': ask(holmes.card(3, 3)),
    'Sherlock [3x01] The Empty Hearse.jpg': holmes.card(3, 1),
    'Sherlock - Special 1 - The Abominable Bride.jpg': holmes.card(0, 1),
  }),
];

const makers: readonly WildName[] = [
  ...names(kometa, works.cafe, {
    'Café Zoé & Søn (2017)/Season01_background.jpg': cafe.season(1, 'backdrop'),
    'Café Zoé & Søn (2017)_S02E03.jpg': cafe.card(2, 3),
    'Café Zoé & Søn (2017).png': cafe.own('poster'),
    'Season00.jpg': cafe.season(0),
  }),
  ...names(cards, works.cafe, {
    "Café Zoé & Søn (2017) - S01E01 - L'été.jpg": cafe.card(1, 1),
    'Café Zoé & Søn (2017) - S02E04-E05 - Encore.jpg': ask(cafe.card(2, 4)),
    'source/s1e3.jpg': ask(cafe.card(1, 3)),
  }),
  ...names('Posterizarr: fscorrupt/posterizarr#214, #254', works.doctorWho, {
    'Doctor Who (2005) {tvdb-78804}/S01E04.jpg': who.card(1, 4),
    'Doctor Who (2005)/Season00_poster.jpg': who.season(0),
    'Doctor Who (2005)/background.jpg': who.own('backdrop'),
  }),
  ...names('macOS: names in decomposed letters', works.cafe, {
    'Cafe\u0301 Zoe\u0301 & Søn - Cre\u0300me bru\u0302le\u0301e.jpg': cafe.card(1, 2),
    'De\u0301ja\u0300 vu - S01E07.jpg': cafe.card(1, 7),
    'Cafe Zoe and Son S01E05 Manana.jpg': cafe.card(1, 5),
    '☕ Café Zoé & Søn – S02E01 ❄️.jpg': cafe.card(2, 1),
  }),
  ...names('Localized folders: jellyfin/jellyfin#13602', works.kiteHarbor, {
    'Kite Harbor/Staffel 1/E05.jpg': kite.card(1, 5),
    'Kite Harbor/Saison 2/poster.jpg': kite.season(2),
    'Kite Harbor - Temporada 1.jpg': kite.season(1),
    'Kite Harbor/Stagione 02/Kite Harbor 2x04.jpg': kite.card(2, 4),
    'Kite Harbor - シーズン2.jpg': kite.season(2),
    'Kite Harbor/Sezon 1/folder.jpg': kite.season(1),
    'Kite Harbor/Säsong 2/E01.jpg': kite.card(2, 1),
    'Kite Harbor 第2季.jpg': kite.season(2),
  }),
];

const releases: readonly WildName[] = [
  ...names(groups, works.lighthouse, {
    '[SubsFold] Paper Lighthouse - 03 (1080p) [969786E2].jpg': fold.card(1, 3),
    '[Rain] Paper Lighthouse - 11v2 [HEVC-10bit][E63F2984].jpg': fold.card(1, 11),
    '[Rain] Paper Lighthouse - OVA 1.jpg': ask(fold.card(0, 1)),
    '[Rain] Paper Lighthouse - 01-02 [Batch].jpg': ask(fold.card(1, 1)),
    '[Rain] Paper Lighthouse NCOP1.jpg': leave,
    'Paper Lighthouse - 6.jpg': fold.card(1, 6),
  }),
  ...names(groups, works.kiteHarbor, {
    '[Kumo] Kite Harbor - 14 [1080p].jpg': ask(kite.card(2, 2)),
    '[Kumo] Kite Harbor S2 - 07 [720p].jpg': kite.card(2, 7),
    '[Kumo] Kite Harbor - S00E02 [BD].jpg': kite.card(0, 2),
    '[Kumo] Kite Harbor - 25 [1080p].jpg': leave,
  }),
  ...names(scene, works.battlestar, {
    'Battlestar.Galactica.2004.S01E01.33.1080p.BluRay.x265.10bit-GRP.jpg': galactica.card(1, 1),
    'battlestar.galactica.2x02.hdtv-lol.jpg': galactica.card(2, 2),
    'Battlestar Galactica - 33.jpg': galactica.card(1, 1),
  }),
  ...names('Dates: TVSorter, FileMatching', works.lateKettle, {
    'The Late Kettle - 2023-03-14 - Marta Olin.jpg': kettle.card(1, 1),
    'The.Late.Kettle.2024.05.20.720p.WEB.jpg': kettle.card(2, 3),
    'The Late Kettle 04-03-2024.jpg': ask(),
    'The Late Kettle - 2023-03-16.jpg': leave,
    'Late Kettle, The - 31.12.2023.jpg': kettle.card(1, 4),
  }),
];

/** The half that whoever works on names may read. */
export const open: readonly WildName[] = [
  ...brackets,
  ...points,
  ...seriesFirst,
  ...notations,
  ...separators,
  ...slotTools,
  ...odd,
  ...players,
  ...managers,
  ...makers,
  ...releases,
];
