import type { SeedCompany } from '../types.ts';

/** Companies that made the seeded films and belong to another. */
export const ownedFilmCompanies: readonly SeedCompany[] = [
  {
    name: '20th Century Fox',
    description: 'American film studio, named 20th Century Studios since 2020.',
    homepage: 'https://www.20thcenturystudios.com',
    headquartersCountry: 'US',
    originCountry: 'US',
    parentCompany: 'The Walt Disney Company',
  },
  {
    name: 'Columbia Pictures',
    description: 'American film studio.',
    homepage: 'https://www.sonypictures.com',
    headquartersCountry: 'US',
    originCountry: 'US',
    parentCompany: 'Sony Pictures Entertainment',
  },
  {
    name: 'Lucasfilm',
    description: 'American production company founded by George Lucas in 1971.',
    homepage: 'https://www.lucasfilm.com',
    headquartersCountry: 'US',
    originCountry: 'US',
    parentCompany: 'The Walt Disney Company',
  },
  {
    name: 'New Line Cinema',
    description: 'American film label, founded in 1967 as an independent distributor.',
    homepage: 'https://www.newline.com',
    headquartersCountry: 'US',
    originCountry: 'US',
    parentCompany: 'Warner Bros. Entertainment',
  },
  {
    name: 'Pixar Animation Studios',
    description: 'American studio for computer-animated films.',
    homepage: 'https://www.pixar.com',
    headquartersCountry: 'US',
    originCountry: 'US',
    parentCompany: 'The Walt Disney Company',
  },
  {
    name: 'Sony Pictures Animation',
    description: 'American studio for animated films.',
    homepage: 'https://www.sonypicturesanimation.com',
    headquartersCountry: 'US',
    originCountry: 'US',
    parentCompany: 'Sony Pictures Entertainment',
  },
  {
    name: 'Walt Disney Pictures',
    description: 'American film studio.',
    homepage: 'https://movies.disney.com',
    headquartersCountry: 'US',
    originCountry: 'US',
    parentCompany: 'The Walt Disney Company',
  },
  {
    name: 'Warner Bros. Pictures',
    description: 'American film studio.',
    homepage: 'https://www.warnerbros.com',
    headquartersCountry: 'US',
    originCountry: 'US',
    parentCompany: 'Warner Bros. Entertainment',
  },
];
