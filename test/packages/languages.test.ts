import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';

it('keeps one of the languages of zod in what is built', () => {
  const inEnglish = 'Invalid number: must be a multiple of ';
  const inDutch = 'Ongeldig getal: moet een veelvoud van ';
  const dist = path.resolve(import.meta.dirname, '../../dist');
  const built = readdirSync(dist).filter((file) => file.endsWith('.js'));
  const holders = (words: string) =>
    built.filter((file) => readFileSync(path.join(dist, file), 'utf8').includes(words));
  const [english, dutch] = [z.locales.en(), z.locales.nl()].map(({ localeError }) =>
    localeError({ code: 'not_multiple_of', divisor: 7, input: 1, path: [] }),
  );
  expect([english, dutch]).toEqual([`${inEnglish}7`, `${inDutch}7 zijn`]);
  expect(holders(inEnglish)).toHaveLength(1);
  expect(holders(inDutch)).toEqual([]);
});
