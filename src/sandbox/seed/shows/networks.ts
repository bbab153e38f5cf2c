import type { SeedNetwork } from '../types.ts';

/** The networks that first showed the seeded shows; the last four broadcast nowhere. */
export const networks: readonly SeedNetwork[] = [
  { name: 'ABC', homepage: 'https://abc.com', originCountry: 'US' },
  { name: 'AMC', homepage: 'https://www.amc.com', originCountry: 'US' },
  { name: 'BBC One', homepage: 'https://www.bbc.co.uk/bbcone', originCountry: 'GB' },
  { name: 'BBC Three', homepage: 'https://www.bbc.co.uk/bbcthree', originCountry: 'GB' },
  { name: 'BBC Two', homepage: 'https://www.bbc.co.uk/bbctwo', originCountry: 'GB' },
  { name: 'Fox', homepage: 'https://www.fox.com', originCountry: 'US' },
  { name: 'HBO', homepage: 'https://www.hbo.com', originCountry: 'US' },
  { name: 'Netflix', homepage: 'https://www.netflix.com', originCountry: 'US' },
  { name: 'Showtime', homepage: 'https://www.sho.com', originCountry: 'US' },
  { name: 'Sky Atlantic', homepage: 'https://www.sky.com/watch/channel/sky-atlantic', originCountry: 'GB' },
  { name: 'Imaginary Broadcasting Union', homepage: null, originCountry: null },
  { name: 'Pretend Television One', homepage: 'https://pretend-one.example', originCountry: 'ZZ' },
  {
    name: 'Nowhere-on-Sea Wireless & Picture Service (Imaginary)',
    homepage: 'https://wireless.example',
    originCountry: 'ZZ',
  },
  { name: 'Φανταστικό Κανάλι', homepage: 'https://kanali.example', originCountry: 'ZZ' },
];
