import type { SeedShow } from '../types.ts';

export const theOffice: SeedShow = {
  title: 'The Office',
  overview: 'A film crew observes the staff of a paper merchant in Slough and its manager, David Brent.',
  tagline: null,
  status: 'ended',
  networks: ['BBC Two', 'BBC One'],
  companies: ['BBC'],
  people: ['Ricky Gervais', 'Stephen Merchant', 'Martin Freeman', 'Mackenzie Crook'],
  categories: ['Comedy', 'Sitcom', 'Mockumentary', 'Workplace', 'Short Season'],
  seasons: [
    {
      number: 0,
      title: 'Specials',
      airDate: '2003-12-26',
      episodes: [
        [1, 'Christmas Special: Part 1', '2003-12-26'],
        [2, 'Christmas Special: Part 2', '2003-12-27'],
      ],
    },
    {
      number: 1,
      title: 'Series 1',
      airDate: '2001-07-09',
      episodes: [
        [1, 'Downsize', '2001-07-09'],
        [2, 'Work Experience', '2001-07-16'],
        [3, 'The Quiz', '2001-07-23'],
        [4, 'Training', '2001-07-30'],
        [5, 'New Girl', '2001-08-13'],
        [6, 'Judgement', '2001-08-20'],
      ],
    },
    {
      number: 2,
      title: 'Series 2',
      airDate: '2002-09-30',
      episodes: [
        [1, 'Merger', '2002-09-30'],
        [2, 'Appraisals', '2002-10-07'],
        [3, 'Party', '2002-10-14'],
        [4, 'Motivation', '2002-10-21'],
        [5, 'Charity', '2002-10-28'],
        [6, 'Interview', '2002-11-04'],
      ],
    },
  ],
};
