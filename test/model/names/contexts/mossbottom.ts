import { show } from './record.ts';

const titles = ['First Frost', 'The Pond', 'Deep Snow', 'The Longest Night', 'Thaw'];

/** Fictional: seasons with a name, and the same five titles in each. */
export const mossbottom = show(
  7308,
  'Four Winters in Mossbottom',
  1981,
  [1, 2, 3, 4].map((winter) => [
    winter,
    `Winter ${winter}`,
    titles.map((title, index) => [index + 1, title, `${1980 + winter}-0${index + 1}-01`]),
  ]),
);
