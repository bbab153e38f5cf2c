import type { Random } from './random.ts';

type Words = readonly [string, ...string[]];

/** One list from one line of words. */
function words(line: string): Words {
  const [first = '', ...others] = line.trim().split(/\s+/);
  return [first, ...others];
}

const adjectives = words(`
  Amber Ancient Borrowed Bitter Bright Broken Burning Careless Clever Cold Crooked Crimson Curious Daring Dark Distant
  Drowned Eager Early Eleventh Empty Endless Faithful Fallen Familiar Fearless Final First Foolish Forgotten Frozen
  Gentle Gilded Glass Golden Grand Green Hidden Hollow Honest Hungry Idle Infinite Iron Jealous Kindly Last Late Little
  Lonely Long Lost Loud Lucky Midnight Minor Narrow Naked New Northern Old Open Other Painted Pale Perfect Plain
  Polite Private Proud Quiet Rapid Reckless Red Restless Rusty Sacred Salt Second Secret Seventh Shallow Silent Silver
  Sleeping Slow Small Solemn Southern Stolen Strange Stubborn Sudden Sunken Sweet Tall Third Tidal Unlikely Unwritten
  Velvet Wandering Warm Western White Wicked Wild Winter Wooden Yellow Young`);
const nouns = words(`
  Accident Acre Affair Alibi Almanac Anchor Apartment Apology Archive Armada Asylum Atlas Autumn Bakery Balcony Ballad
  Bargain Barracks Bell Birthday Boundary Bridge Brother Cabin Cage Canal Candle Captain Carnival Cartographer Cellar
  Chapel Choir Circle Circus Citizen Clock Coast Colony Comet Compass Confession Conductor Corridor Country Courier
  Court Cradle Crossing Crown Daughter Debt Delta Desert Detective Detour Diary Diplomat Divide Doctor Door Dragon
  Dream Echo Eclipse Echelon Embassy Empire Engine Errand Estate Exile Expedition Experiment Factory Falcon Family
  Farewell Father Ferry Festival Fever Fiddler Fire Fisherman Flood Forest Fortune Fox Frontier Funeral Game Garden
  Gardener Gate Ghost Giant Glacier Guest Harbour Harvest Heir Heist Heron Highway Horizon Hospital Hotel Hour House
  Hunt Hunter Identity Inheritance Inspector Interval Invitation Island Judge Jury Keeper Kingdom Kitchen Ladder
  Lantern Laundry League Ledger Legacy Legend Letter Liar Library Lighthouse Locksmith Machine Magician Map Market
  Marriage Master Mayor Meadow Memory Merchant Message Midwife Mill Mine Miracle Mirror Mission Monastery Moon Mother
  Mountain Museum Neighbour Nephew Night Nurse Oath Observatory Ocean Office Orchard Orchestra Orphan Outpost Palace
  Parade Passenger Patient Pearl Pilgrim Pilot Pirate Planet Poet Prisoner Promise Province Quarry Queen Question
  Railway Rebel Refuge Reunion Revenge Riddle River Road Rumour Saint Salon Season Sentence Shadow Shepherd Shore
  Siege Signal Sister Snow Soldier Song Spy Stage Station Stepmother Storm Stranger Summer Surgeon Swan Switchboard
  Tailor Tavern Tempest Theatre Thief Tide Tower Traveller Treaty Trial Tunnel Twin Union Valley Verdict Village
  Violin Voyage Wager Waltz Wedding Weather Whisper Widow Window Witness Wolf Workshop Year`);
const given = words(`
  Ada Agnes Aisha Alma Amara Anders Anouk Arjun Astrid Beatriz Bruno Camila Carmen Chidi Clara Dalia Daniel Desmond
  Edith Elena Elif Emeka Esther Farah Felix Fiona Freya Gustav Hana Harriet Hugo Ida Ines Ingrid Ivan Jamal Jonas
  Josefa Julia Kaito Karim Katya Kofi Lara Leila Leon Lucía Magnus Malik Marco Marta Mateo Maya Mei Mikael Miriam Nadia
  Naomi Niamh Nils Noor Olga Omar Oscar Otto Paloma Pavel Petra Priya Quentin Rafael Renée Rosa Ruben Ruth Samir
  Saoirse Selma Simone Sofia Sven Tamar Tariq Theo Tomás Ulrike Vera Viktor Wanda Xiomara Yara Yusuf Zoë Zora`);
const starts = words(`
  Ald Ash Bar Bel Bram Brid Cal Car Chal Cor Dal Dar Dun El Fal Fen Gar Glen Hal Har Hol Ib Inver Kel Kil Kin Lan Lin
  Lor Mal Mar Mel Mor Nor Oak Or Pel Pen Ras Rath Ros Rud Sal Sel Stan Stor Tal Tar Thorn Tor Ul Val Var Wes Win Wyn`);
const middles = words('a am an e el en er i il in o on or u ul und y');
const ends = words(`
  bridge brook burg bury by cliffe combe dale den dorf ford gate grove ham haven hollow holm hurst ica ines ira land
  leigh ley low mere mont moor mouth ness ov peak port ridge ros sett shire stead stow ton vale ville wick wood worth`);
/** Whole titles in other scripts, of which two make one. */
const elsewhere = [
  ['灯台の', '夜明けの', '静かな', '最後の', '海辺の', '銀色の'],
  ['約束', '手紙', '列車', '図書館', '探偵', '家族', '庭', '時計'],
  ['Последний ', 'Тихий ', 'Северный ', 'Забытый ', 'Медный '],
  ['дом', 'берег', 'свидетель', 'поезд', 'сад', 'договор'],
  ['조용한 ', '마지막 ', '푸른 ', '잃어버린 '],
  ['바다', '약속', '편지', '정원', '시간'],
  ['Το χαμένο ', 'Το κρυφό ', 'Το παλιό '],
  ['σπίτι', 'νησί', 'ρολόι', 'γράμμα'],
  ['حكاية ', 'ليلة ', 'مدينة '],
  ['البحر', 'النخيل', 'القمر', 'الجبل'],
] as const satisfies readonly (readonly [string, ...string[]])[];
const accented = [
  [
    'La Última',
    'La Pequeña',
    'El Último',
    'Le Dernier',
    'La Première',
    'Die Schöne',
    'Der Späte',
    'O Último',
    'Zaginiony',
  ],
  [
    'Canción',
    'Estación',
    'Été',
    'Château',
    'Müllerin',
    'Königin',
    'Coração',
    'Świat',
    'Señor',
    'Forêt',
    'Größe',
    'Île',
  ],
] as const satisfies readonly (readonly [string, ...string[]])[];

export function placeName(random: Random): string {
  const middle = random.chance(0.45) ? random.one(middles) : '';
  return `${random.one(starts)}${middle}${random.one(ends)}`;
}

export function personName(random: Random): string {
  const surname = random.chance(0.2) ? `${placeName(random)}-${placeName(random)}` : placeName(random);
  return `${random.one(given)} ${surname}`;
}

/** Of a show, a film or a game. Some coincide, as those of remakes do. */
export function workTitle(random: Random): string {
  const kind = random.next();
  if (kind < 0.03) return foreign(random);
  if (kind < 0.07) return `${random.one(accented[0])} ${random.one(accented[1])}`;
  if (kind < 0.12) return `${personName(random)}, ${random.one(nouns)}`;
  if (kind < 0.17) return `${placeName(random)} ${random.chance(0.5) ? 'Nights' : random.one(nouns)}`;
  if (kind < 0.21) return `${random.one(nouns)} & ${random.one(nouns)}`;
  if (kind < 0.3) return `The ${random.one(nouns)} of ${placeName(random)}`;
  if (kind < 0.36) return `A ${random.one(nouns)} in ${placeName(random)}`;
  if (kind < 0.42) return `The ${random.one(nouns)}’s ${random.one(nouns)}`;
  if (kind < 0.46) return placeName(random);
  if (kind < 0.5) return `${random.one(adjectives)} ${random.one(adjectives)} ${random.one(nouns)}`;
  if (kind < 0.53) return `${1 + random.below(99)} ${random.one(nouns)}s`;
  if (kind < 0.6)
    return `${random.one(nouns)} ${random.one(['at', 'beyond', 'under', 'before', 'without'])} the ${random.one(nouns)}`;
  return `${random.chance(0.5) ? 'The ' : ''}${random.one(adjectives)} ${random.one(nouns)}`;
}

export function episodeTitle(random: Random, number: number): string {
  const kind = random.next();
  if (number === 1 && kind < 0.4) return 'Pilot';
  if (kind < 0.03) return `Episode ${number}`;
  if (kind < 0.05) return `Chapter ${number}: The ${random.one(nouns)}`;
  if (kind < 0.08) return foreign(random);
  if (kind < 0.11) return `${random.one(accented[0])} ${random.one(accented[1])}`;
  if (kind < 0.14) return `${random.one(adjectives)} ${random.one(nouns)} (${1 + random.below(3)})`;
  if (kind < 0.22) return `The ${random.one(nouns)} of ${placeName(random)}`;
  if (kind < 0.28) return `${random.one(given)}’s ${random.one(nouns)}`;
  if (kind < 0.34) return `${random.one(given)} and the ${random.one(nouns)}`;
  if (kind < 0.4) return random.one(nouns);
  if (kind < 0.48) return `A ${random.one(nouns)} for ${random.one(given)}`;
  if (kind < 0.56) return `${random.one(nouns)}s and ${random.one(nouns)}s`;
  return `${random.chance(0.5) ? 'The ' : ''}${random.one(adjectives)} ${random.one(nouns)}`;
}

function foreign(random: Random): string {
  const script = 2 * random.below(elsewhere.length / 2);
  const [first, second] = [elsewhere[script], elsewhere[script + 1]];
  if (first === undefined || second === undefined) throw new RangeError('Each script has two lists.');
  return `${random.one(first)}${random.one(second)}`;
}
