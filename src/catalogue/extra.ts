import { type Issue, invalidArguments } from '../errors.ts';
import type { JsonObject } from './request.ts';

/** The names that `extra` may not take. */
interface Taken {
  /** The members of the body, all of which are arguments. */
  readonly fields: readonly string[];
  /** The argument that the path carries. */
  readonly inPath?: string | undefined;
}

/** The guards of every change. Some bodies do not carry them. */
const guards = ['clientMutationId', 'expectedUpdatedAt', 'expectedAssetUpdatedAt'];

/** Arguments that people and documents have another word for. */
const alsoCalled: Readonly<Record<string, readonly string[]>> = {
  setIds: ['members', 'membership'],
  expectedUpdatedAt: ['revision'],
};

/**
 * Refuses an `extra` that may say in another word what an argument or a guard says. The checks look at the arguments
 * alone, and if the body has both words, the service may obey the other one.
 * @throws ArtworkError `invalid_arguments` that names the arguments to use
 */
export function refuseOtherWords(extra: JsonObject, { fields, inPath }: Taken): void {
  const named = [...guards, ...fields, ...(inPath === undefined ? [] : [inPath])];
  const calls = named.flatMap((argument) =>
    [argument, ...(alsoCalled[argument] ?? [])].map((name) => ({ argument, name: readName(name) })),
  );
  const issues = membersOf(extra).flatMap(({ path, isNested }): Issue[] => {
    const given = readName(path.at(-1) ?? '');
    const meant = calls.find(
      ({ argument, name }) =>
        (guards.includes(argument) && hasTail(given, name)) ||
        (name.isList && hasList(given, name)) ||
        (!isNested && (given.joined === name.joined || given.core === name.core)),
    );
    if (meant === undefined) return [];
    const message = `may be another word for the argument ${meant.argument}: give that one instead`;
    return [{ code: 'extra', message, path: ['extra', ...path] }];
  });
  if (issues.length > 0) throw invalidArguments("extra can't be used", issues);
}

/** The members of an object and of all that is in it. */
function membersOf(value: unknown, above: readonly string[] = []): { path: string[]; isNested: boolean }[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const path = [...above, name];
    const own = Array.isArray(value) ? [] : [{ path, isNested: above.length > 0 }];
    return [...own, ...membersOf(inner, path)];
  });
}

interface ReadName {
  /** In lower case and in the singular: `removeSetIds` is remove, set, id. */
  readonly words: readonly string[];
  readonly joined: string;
  /** Without what says only how a thing is told: `languageCode`, `language_code` and `language` are the same. */
  readonly core: string;
  /** `sets` and `setIds` are lists, `set` is none. */
  readonly isList: boolean;
  /** Which of the words stand in the plural. */
  readonly plural: readonly boolean[];
}

const tellsHow = new Set(['id', 'code', 'base']);

function readName(name: string): ReadName {
  const given = name
    .normalize('NFKC')
    .replace(/([\p{Ll}\p{N}])(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1$2 ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const words = given.map((word) => word.replace(/ies$/, 'y').replace(/(?<!s)s$/, ''));
  const plural = given.map((word, index) => word !== words[index]);
  const core = words.filter((word) => !tellsHow.has(word)).join('');
  const joined = given.join('');
  return { words, joined, core: core === '' ? joined : core, isList: plural.at(-1) ?? false, plural };
}

/** `updated_at` and `lastUpdatedAt` may be `expectedUpdatedAt`. */
function hasTail({ joined }: ReadName, guard: ReadName): boolean {
  return joined.includes(guard.words.slice(-2).join(''));
}

/** Whether a name speaks of the things in a list: `addSets`, `removeSetIds`, `childSet`; not `setAsDefault`. */
function hasList({ words, plural }: ReadName, list: ReadName): boolean {
  return words.some((word, index) => {
    const after = words[index + 1];
    return word === list.core && (plural[index] === true || after === undefined || after === 'id');
  });
}
