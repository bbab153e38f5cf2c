import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { linesOf } from './shapes.ts';

/*
 * Reads the scenarios of a text, each a title and its rows, below the headings of the interface document. A row sends
 * a request and says what it is answered:
 *
 *   name = 2x METHOD /path BY 1 WITH scope,scope {body} → 201|200 code {what the answer has}
 *
 * `2x` sends it twice at once. The account is 0 and has all scopes where no others are named. Values are YAML:
 * `<name.member>` is what the answer of this name has, `<uuid…>` an id of the scenario's own (`<UUID…>` in upper case),
 * `{...name: [a, b]}` what `name := {…}` says with its `$1` and `$2`, and a path may begin with such a name, too. A row
 * `+ title` has the rows of that scenario. An answer has `any` text, `not` this one, a list that `has` an element with
 * this id or `lacks` it.
 */

export interface Row {
  readonly verb: string;
  readonly path: string;
  readonly account: string;
  /** Undefined: every one. */
  readonly scopes: string | undefined;
  readonly body: unknown;
}

export type Names = Record<string, unknown>;

/** What a row is answered: its status and code, and what the answer has. */
export type Perform = (row: Row) => Promise<{ readonly is: string; readonly data?: unknown }>;

/**
 * Makes a test of each scenario of a text. The rows of `Beforehand` are sent first, and all know their answers.
 * @param begun what is known from the beginning, filled before the first row
 */
export function testScenarios(file: string, begun: Names, perform: Perform): void {
  const { rows, titles, definitions } = readScenarios(file);
  const run = async (title: string, names: Names): Promise<void> => {
    for (const row of rows.get(title) ?? []) {
      if (row.startsWith('+ ')) await run(row.slice(2), names);
      else await runRow(row, names, definitions, perform);
    }
  };
  const known: Names = {};
  beforeAll(async () => {
    Object.assign(known, begun);
    await run('Beforehand', known);
  });
  describe.each([...titles])('%s', (_, own) => {
    test.each(own)('%s', (title) => run(title, { ...known }));
  });
}

type Definitions = ReadonlyMap<string, string>;

function readScenarios(file: string) {
  const rows = new Map<string, string[]>();
  const titles = new Map<string, string[]>();
  const definitions = new Map<string, string>();
  let [section, title] = ['', ''];
  for (const line of linesOf(file, '    ')) {
    const [, name, definition] = /^(\w+) := (.*)/.exec(line) ?? [];
    if (line.startsWith('## ')) section = line.slice(3);
    else if (name !== undefined && definition !== undefined) definitions.set(name, definition);
    else if (line.startsWith('  ')) rows.get(title)?.push(line.trim());
    else if (line !== '' && section !== '') {
      title = line;
      rows.set(title, []);
      if (!/^(Beforehand|Given )/.test(title)) titles.set(section, [...(titles.get(section) ?? []), title]);
    }
  }
  return { rows, titles, definitions };
}

const request =
  /^(?:(\w+) = )?(?:(\d+)x )?([A-Z]+)(?: ([^\s{[]\S*))?(?: BY (\d))?(?: WITH (\S+))?(?: (.+))?$/;
const answer = /^([\w:|/+]*)( [\w.]+)?(?: ?(.+))?$/;

async function runRow(line: string, names: Names, definitions: Definitions, perform: Perform): Promise<void> {
  const [left = '', right = ''] = line.split(' → ');
  const [, name, times = 1, verb, written = '', account = '0', scopes, body] = request.exec(left) ?? [];
  const [, status = '', code = '', has] = answer.exec(right) ?? [];
  if (verb === undefined) throw new Error(`This is no row: ${line}`);
  const read = (text: string | undefined) => (text ? expand(parse(text), definitions) : undefined);
  const path = String(
    fill(
      written.replace(/^\w+/, (word) => definitions.get(word) ?? word),
      names,
    ),
  );
  const row = { verb, path, account, scopes, body: fill(read(body), names) };
  const answers = await Promise.all(Array.from({ length: Number(times) }, () => perform(row)));
  if (name !== undefined) names[name] = answers[0]?.data;
  const expected = fill(read(has), names);
  for (const { is, data } of answers) {
    const any = status.split('|').map((one) => one + code);
    if (status !== '') expect(any, line).toContain(is);
    if (expected instanceof Uint8Array) expect(data, line).toEqual(expected);
    else if (expected !== undefined) expect(data, line).toMatchObject(Object(expected));
    if (name !== undefined) expect(data, line).toEqual(names[name]);
  }
}

/** Puts what is defined in the place of `...name`. */
function expand(value: unknown, definitions: Definitions): unknown {
  if (Array.isArray(value)) return value.map((one) => expand(one, definitions));
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value).map(([name, member]): unknown => {
    if (!name.startsWith('...')) return { [name]: expand(member, definitions) };
    const definition = definitions.get(name.slice(3));
    if (definition === undefined) throw new Error(`Nothing is defined as ${name}.`);
    const given = [member].flat();
    return expand(parse(definition.replace(/\$(\d)/g, (_, at) => String(given[at - 1]))), definitions);
  });
  return Object.assign({}, ...members);
}

/** Puts what is known in the place of `<name.member>`, and a matcher in that of words for what an answer may have. */
function fill(value: unknown, names: Names): unknown {
  if (Array.isArray(value)) return value.map((one) => fill(one, names));
  if (value?.constructor === Object)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fill(member, names)]));
  if (typeof value !== 'string') return value;
  const whole = /^<([\w.]+)>$/.exec(value)?.[1];
  if (whole !== undefined) return named(whole, names);
  const text = value.replace(/<([\w.]+)>/g, (_, name) => String(named(name, names)));
  if (text === 'any') return expect.any(String);
  if (text.startsWith('not ')) return expect.not.stringMatching(`^${text.slice(4)}$`);
  const words = [...text.matchAll(/(has|lacks) (\S+) ?/g)];
  if (words.length === 0 || words.join('').length < text.length) return text;
  const holds = (list: readonly { id: unknown }[]) =>
    words.every(([, word, other]) => list.some(({ id }) => id === other) === (word === 'has'));
  return { asymmetricMatch: holds, toString: () => text };
}

function named(name: string, names: Names): unknown {
  if (name.startsWith('UUID')) return String(named(name.toLowerCase(), names)).toUpperCase();
  if (name.startsWith('uuid')) names[name] ??= randomUUID();
  const value = name.split('.').reduce<unknown>((part, member) => Object(part)[member], names);
  if (value === undefined) throw new Error(`Nothing is called ${name}.`);
  return value;
}
