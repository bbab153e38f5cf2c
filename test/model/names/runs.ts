const episodesOfBreakingBad = [7, 13, 13, 13, 16];

const pad = (number: number, digits: number) => String(number).padStart(digits, '0');

/** A folder of all 62 title cards of Breaking Bad, counted through. */
export const countedThrough = Array.from(
  { length: 62 },
  (_, index) => `Breaking Bad - ${pad(index + 1, 3)}.jpg`,
);

/** The same, the season's number before the episode's: 101 to 107, 201 to 213. */
export const seasonBeforeEpisode = episodesOfBreakingBad.flatMap((count, season) =>
  Array.from({ length: count }, (_, index) => `Breaking Bad - ${season + 1}${pad(index + 1, 2)}.jpg`),
);
