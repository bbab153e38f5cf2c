import type { SeedCompany } from '../types.ts';

const real: readonly SeedCompany[] = [
  {
    name: 'Sony Pictures Entertainment',
    description: 'American studio for film and television, owned by Sony.',
    homepage: 'https://www.sonypictures.com',
    headquartersCountry: 'US',
    originCountry: 'US',
    parentCompany: null,
  },
  {
    name: 'Sony Pictures Television',
    description: 'Television production and distribution company.',
    homepage: 'https://www.sonypictures.com/tv',
    headquartersCountry: 'US',
    originCountry: 'US',
    parentCompany: 'Sony Pictures Entertainment',
  },
  {
    name: 'BBC',
    description: 'British public service broadcaster.',
    homepage: 'https://www.bbc.co.uk',
    headquartersCountry: 'GB',
    originCountry: 'GB',
    parentCompany: null,
  },
  {
    name: 'Hartswood Films',
    description: 'British production company founded by Beryl Vertue.',
    homepage: 'https://www.hartswoodfilms.co.uk',
    headquartersCountry: 'GB',
    originCountry: 'GB',
    parentCompany: null,
  },
];

/** Companies that exist nowhere, for the fictional shows. */
const fictional: readonly SeedCompany[] = [
  {
    name: 'Nonexistent Pictures',
    description:
      'A fictional company for trying out edge cases, with a country code that belongs to no country.',
    homepage: 'https://nonexistent.example',
    headquartersCountry: 'ZZ',
    originCountry: 'ZZ',
    parentCompany: null,
  },
  {
    name: 'Thimble & Gravy Imaginary Productions',
    description: 'A fictional company for trying out edge cases: an ampersand, a parent, and no country.',
    homepage: null,
    headquartersCountry: null,
    originCountry: null,
    parentCompany: 'Nonexistent Pictures',
  },
  {
    name: 'Nowhere-on-Sea Society for the Production of Entirely Imaginary Entertainments, Pageants & Lantern Slides',
    description: 'A fictional company for trying out edge cases: a name that does not fit on one line.',
    homepage: 'https://nowhere-on-sea.example',
    headquartersCountry: 'ZZ',
    originCountry: 'ZZ',
    parentCompany: null,
  },
];

/** The companies that made the seeded shows, and their parent companies. */
export const companies: readonly SeedCompany[] = [...real, ...fictional];
