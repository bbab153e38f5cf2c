import { homedir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { createLog } from '../src/log.ts';

function logged(message: string): string {
  const lines: string[] = [];
  createLog('debug', (line) => lines.push(line)).info(message);
  return lines.join('|').replace('artwork-mcp info: ', '');
}

it('names the home folder as a shell does, and no folder that only begins like it', () => {
  const inside = path.join(homedir(), 'artwork', 'store.db');
  expect(logged(`${inside} is damaged`)).toBe(`${path.join('~', 'artwork', 'store.db')} is damaged`);
  expect(logged(`at run (${pathToFileURL(inside).href}:1:2)`)).toMatch(
    /^at run \(file:\/\/~\/artwork\/store\.db:1:2\)$/,
  );
  expect(logged(`in ${homedir()}.`)).toBe('in ~.');
  expect(logged(`in "${homedir()}"`)).toBe('in "~"');
  expect(logged(`${homedir()}-of-another/file`)).toBe(`${homedir()}-of-another/file`);
});

it.each([
  ['Bearer s3cret.value-1~', 'Bearer …'],
  ['"authorization":"Bearer s3cretvalue"', '"authorization":"Bearer …"'],
  ['Basic dXNlcjpwYXNz', 'Basic …'],
  ['/callback?code=abcdefgh1234&state=zyxwvuts9876', '/callback?code=…&state=…'],
  [
    '{"access_token":"abcdefgh1234","refresh_token": "abcdefgh1234"}',
    '{"access_token":"…","refresh_token": "…"}',
  ],
  ['it said eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', 'it said …'],
  ['eyJhbGciOiJSUzI1NiJ9, which was cut', '…, which was cut'],
  [`Bearer${' '.repeat(60_000)}s3cret.value-1~`, 'Bearer …'],
])('leaves out what signs in: %s', (message, left) => {
  expect(logged(message)).toBe(left);
});

it('leaves words alone that only sound like it', () => {
  const words =
    'get_owned failed (snapshot_expired): the code, the state and the token of revision 2026-01-01T00:00:00.000Z';
  expect(logged(words)).toBe(words);
});

it('reads a text once, however long it is', () => {
  // What is looked for behind blanks finds one, what begins like a token is taken with all that follows it.
  expect(logged(`one${' '.repeat(60_000)}two`)).toBe('one two');
  expect(logged(`code${'\n\t'.repeat(30_000)}= abcdefgh1234`)).toBe('code = …');
  expect(logged('-eyJaaaaaaaa'.repeat(5_000))).toBe('-…');
});
