export { categories } from './categories.ts';
