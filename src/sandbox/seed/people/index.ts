export { categories } from './categories.ts';
export { companies } from './companies.ts';
export { people } from './people.ts';
