import type { SeedShow } from '../../types.ts';

export const longestTitle: SeedShow = {
  title:
    'The Complete, Unabridged and Several Times Extended Account of How the Third Assistant Harbourmaster of Nowhere-on-Sea Mislaid a Very Small Key, Looked for It in All the Wrong Places, Found Something Else Altogether, and Was Late for Supper',
  overview:
    'A fictional work for trying out edge cases: titles that fit on no poster, no title card and no line of a list, and one overview that goes on for longer than anybody wanted to read, because the writer was paid by the word and the harbourmaster had a great many opinions about keys, suppers, harbours, the proper coiling of ropes, the improper coiling of ropes, gulls, and the third assistant before him, none of which have anything to do with the story.',
  tagline:
    'A tagline that was meant to be short, was made a little longer at the first meeting, and a great deal longer at the second.',
  status: 'ended',
  networks: ['Nowhere-on-Sea Wireless & Picture Service (Imaginary)'],
  companies: [
    'Nowhere-on-Sea Society for the Production of Entirely Imaginary Entertainments, Pageants & Lantern Slides',
  ],
  people: ['Wilhelmina Thistlepot-Featherstonehaugh-Umberwick-von-und-zu-Pfefferkuchenhausen'],
  categories: ['Drama', 'Edge Cases'],
  seasons: [
    {
      number: 1,
      title:
        'Being the First and, Should the Funds Allow, by No Means the Last of the Seasons of This Account',
      airDate: '2009-02-02',
      episodes: [
        [1, 'K', '2009-02-02'],
        [
          2,
          'In Which the Third Assistant Harbourmaster Empties His Left Pocket, Then His Right Pocket, Then Both Pockets of His Other Coat, Then the Pockets of Several Coats That Do Not Belong to Him, and Is Asked by a Constable, Politely at First and Then Less Politely, to Explain What He Believes He Is Doing',
          '2009-02-09',
        ],
        [
          3,
          'Schlüsselsuchgenehmigungsantragsformularausgabestellenöffnungszeitenaushangschilderbefestigungsschraubenlager',
          '2009-02-16',
        ],
        [4, `The Key${' That Opens the Box With the Key'.repeat(12)}`, '2009-02-23'],
        [5, 'Supper', '2009-03-02'],
      ],
    },
  ],
};
