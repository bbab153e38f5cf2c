import { type Check, has, is, isObject, isText, type Json } from './messages.ts';

/** The members of an object: their names, whether each is needed, and what it has to be. */
export type Members = readonly (readonly [name: string, isNeeded: boolean, check: Check])[];

/** The first fault among the members, as a sentence without its period; null if there is none. */
export function faultIn(value: Json, members: Members, where: string): string | null {
  for (const [name, isNeeded, check] of members) {
    if (Object.hasOwn(value, name) ? !check(value[name]) : isNeeded) {
      return `${where} ${Object.hasOwn(value, name) ? 'has no sound' : 'lacks'} ${name}`;
    }
  }
  return null;
}

const ofAllTexts: Check = (value) => isObject(value) && Object.values(value).every(isText);
const isReference: Check = (value) =>
  has(value, { type: is('ref/prompt'), name: isText }) ||
  has(value, { type: is('ref/resource'), uri: isText });

/**
 * The parameters of the requests that the SDKs answer, by method, in both eras. They are checked before an SDK sees them,
 * because it would report a mistake of the host as its own internal error. A method that is neither here nor a list is
 * not served.
 */
export const parameters: ReadonlyMap<string, Members> = new Map<string, Members>([
  [
    'tools/call',
    [
      ['name', true, isText],
      ['arguments', false, isObject],
    ],
  ],
  [
    'prompts/get',
    [
      ['name', true, isText],
      ['arguments', false, ofAllTexts],
    ],
  ],
  ['resources/read', [['uri', true, isText]]],
  [
    'completion/complete',
    [
      ['ref', true, isReference],
      ['argument', true, (value) => has(value, { name: isText, value: isText })],
      ['context', false, (value) => has(value, {}, { arguments: ofAllTexts })],
    ],
  ],
]);
