import type { SeedCategory } from '../types.ts';

type Entry = readonly [name: string, description: string];

const genres: readonly Entry[] = [
  ['Action', 'Chases, fights and stunts carry the story.'],
  ['Adventure', 'Journeys into the unknown, with a goal at the end.'],
  ['Animation', 'Drawn, modelled or rendered instead of filmed.'],
  ['Anthology', 'Separate stories under one title.'],
  ['Biography', 'The life of a real person.'],
  ['Comedy', 'Made to be laughed at.'],
  ['Crime', 'Criminals, and the people who look for them.'],
  ['Documentary', 'Real events and people, observed or explained.'],
  ['Drama', 'Serious conflicts between people.'],
  ['Family', 'For children and adults together.'],
  ['Fantasy', 'Magic and imagined worlds.'],
  ['Film Noir', 'Shadowy crime stories with compromised heroes.'],
  ['History', 'Real events of the past.'],
  ['Horror', 'Made to frighten.'],
  ['Medical', 'Doctors, patients and hospitals.'],
  ['Music', 'Musicians and their work.'],
  ['Musical', 'The characters sing the story.'],
  ['Mystery', 'A puzzle that is solved step by step.'],
  ['Mockumentary', 'Fiction that pretends to be a documentary.'],
  ['Romance', 'Love stories.'],
  ['Satire', 'Mocks the powerful and the habits of its time.'],
  ['Science Fiction', 'Imagined science, technology and futures.'],
  ['Sitcom', 'Comedy with a fixed cast and setting.'],
  ['Sport', 'Athletes, teams and contests.'],
  ['Superhero', 'Heroes with powers beyond the human.'],
  ['Thriller', 'Suspense that builds to the end.'],
  ['War', 'Soldiers and civilians in wartime.'],
  ['Western', 'The frontier of the American West.'],
  ['Action-Adventure', 'Games of exploration, puzzles and combat together.'],
  ['Card Game', 'Games played with cards, drawn or collected.'],
  ['Fighting', 'Games of duels between characters.'],
  ['First-Person Shooter', 'Shooting games seen through the eyes of the player.'],
  ['Hack and Slash', 'Games of fast close combat against many enemies.'],
  ['Metroidvania', 'One connected map, opened up by new abilities.'],
  ['MMORPG', 'Role-playing in one world with very many players.'],
  ['Platformer', 'Games of running and jumping between platforms.'],
  ['Point-and-Click', 'Adventure games that are steered with a pointer.'],
  ['Puzzle', 'Games of problems to be solved by thinking.'],
  ['Racing', 'Games of speed, on tracks and roads.'],
  ['Real-Time Strategy', 'Strategy games in which nobody waits for a turn.'],
  ['Rhythm', 'Games that are played to music.'],
  ['Roguelike', 'Every attempt starts anew in a world drawn at random.'],
  ['Role-Playing', 'Games of characters that grow with their story.'],
  ['Sandbox', 'Games without a set goal, with tools to build things.'],
  ['Shooter', 'Games of aiming and shooting.'],
  ['Simulation', 'Games that imitate a real activity or system.'],
  ['Soulslike', 'Hard, deliberate combat in a world that explains little.'],
  ['Sports', 'Games that imitate a sport.'],
  ['Stealth', 'Games of staying unseen.'],
  ['Strategy', 'Games of planning and command.'],
  ['Survival', 'Games of staying alive with what can be found.'],
  ['Survival Horror', 'Frightening games in which supplies are scarce.'],
  ['Tactical', 'Games of small units and careful positions.'],
  ['Turn-Based Strategy', 'Strategy games in which the sides move one after another.'],
  ['Visual Novel', 'Games that are read, with pictures and choices.'],
];

const themes: readonly Entry[] = [
  ['Aliens', 'Beings from other worlds.'],
  ['Artificial Intelligence', 'Machines that think.'],
  ['Based on a Book', 'Adapted from a novel, a story or a work of non-fiction.'],
  ['Based on a True Story', 'Drawn from events that happened.'],
  ['Coming of Age', 'Growing up.'],
  ['Cyberpunk', 'High technology and low life.'],
  ['Dystopia', 'Societies gone wrong.'],
  ['Heist', 'A theft, planned and carried out.'],
  ['Organized Crime', 'Gangs, cartels and mafias.'],
  ['Open World', 'A wide world that may be explored in any order.'],
  ['Politics', 'Power, and how it is won and lost.'],
  ['Post-Apocalyptic', 'After the end of the world as we know it.'],
  ['Road Trip', 'The journey matters more than its end.'],
  ['Space', 'Beyond the sky.'],
  ['Time Travel', 'Out of one time and into another.'],
  ['Workplace', 'Colleagues, and what they do all day.'],
];

const formats: readonly Entry[] = [
  ['Black and White', 'Made without colour.'],
  ['Miniseries', 'Told in a limited number of episodes.'],
  ['Short Season', 'Seasons of six episodes or fewer.'],
  ['Silent', 'Made without recorded dialogue.'],
  ['Stop Motion', 'Animated by moving real objects frame by frame.'],
];

const eras: readonly Entry[] = [
  ['Antiquity', 'Set in the ancient world.'],
  ['Middle Ages', 'Set in medieval times.'],
  ['Second World War', 'Set between 1939 and 1945.'],
  ['Cold War', 'Set between 1947 and 1991.'],
  ['The 1960s', 'Set in the decade from 1960 to 1969.'],
  ['The Future', 'Set in a time yet to come.'],
];

const collections: readonly Entry[] = [
  ['Edge Cases', 'Fictional works for trying out what real works seldom do.'],
];

const inGroup = (group: string, entries: readonly Entry[]): SeedCategory[] =>
  entries.map(([name, description]) => ({ name, description, group }));

/** Every category of the embedded catalogue: the genres of shows, films and games, and four more groups. */
export const categories: readonly SeedCategory[] = [
  ...inGroup('genres', genres),
  ...inGroup('themes', themes),
  ...inGroup('formats', formats),
  ...inGroup('eras', eras),
  ...inGroup('collections', collections),
];
