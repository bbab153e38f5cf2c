import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { type InProcess, startInProcess } from '../support/in-process.ts';
import { revision, startWholeService, visit, type WholeService } from './whole-service.ts';

const token = 'AbCd+EfGh/IjKl0123456789.Mn_Op~Qr-St==';
/** Every spelling of the table has it. */
const betray = 'IjKl0123456789';

let service: WholeService;
let server: InProcess;

beforeAll(async () => {
  service = await startWholeService();
  service.spoil('POST token', (answer) => JSON.stringify({ ...Object(answer), access_token: token }));
  server = await startInProcess({
    ARTWORK_BASE_URL: service.baseUrl,
    ARTWORK_CLIENT_ID: 'app',
    ARTWORK_REDIRECT_URI: `http://127.0.0.1:${await freePort()}/callback`,
  });
  await visit(service, (await server.call('connect_account', {})).structuredContent);
});
afterAll(async () => {
  await server.close();
  await service.close();
});

const hex = (mark: string) => mark.charCodeAt(0).toString(16).padStart(2, '0');
const escaped = (marks: RegExp, spell: (mark: string, at: number) => string) => {
  let at = 0;
  return token.replace(marks, (mark) => spell(mark, at++));
};
const every = /\W|_/g;
const alternately = (mark: string, at: number) => (at % 2 === 0 ? hex(mark).toUpperCase() : hex(mark));
const percent = encodeURIComponent(token);

/** How a writer of JSON spells the token, or what it takes for the token's text, between quotation marks. */
const spellings: readonly (readonly [what: string, json: string])[] = [
  ['JSON with \\/ and escapes', escaped(/[=/]/g, (mark) => (mark === '/' ? '\\/' : '\\u003D'))],
  ['JSON with every mark as an escape', escaped(every, (mark, at) => `\\u00${alternately(mark, at)}`)],
  ['a URL', percent],
  ['a URL in lower case', percent.replace(/%../g, (one) => one.toLowerCase())],
  ['text with something hidden in it', token.replaceAll('123', '1\\u200b2\\u00003')],
];

/** Answers a route once, with text that is no JSON object of ours to write. */
function answerOnce(route: string, status: number, text: string): void {
  const heal = service.spoil(route, () => {
    heal();
    service.script.status = status;
    return text;
  });
}

async function stored(): Promise<string> {
  const entries = await readdir(server.home, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = await Promise.all(
    files.map(({ parentPath, name }) => readFile(path.join(parentPath, name), 'latin1')),
  );
  return texts.join('\n');
}

it.each(spellings)('the access token shows nowhere if it is quoted as %s', async (_what, spelled) => {
  const shown: string[] = [];
  const note = async (call: Promise<unknown>) => {
    const text = JSON.stringify(await call);
    expect(text).toContain('[secret]');
    shown.push(text);
  };
  const owned = (more: string) => `{"data":{"id":7,"updatedAt":"${revision}",${more}}}`;
  answerOnce('GET owned Set', 200, owned(`"debug":{"authorization":["Bearer ${spelled}"]}`));
  await note(server.call('get_owned', { type: 'set', id: 7 }));
  const refusal = `{"error":{"code":"denied","message":"Bearer ${spelled} may not","details":{"auth":"Bearer ${spelled}"},"issues":[{"code":"a","message":"${spelled}","path":["${spelled}"]}]}}`;
  answerOnce('GET owned Set', 403, refusal);
  await note(server.call('get_owned', { type: 'set', id: 7 }));

  const create = () => {
    const clientMutationId = randomUUID();
    const change = { clientMutationId, expectedUpdatedAt: 'none', kind: 'boxset', title: 'Box', setIds: [3] };
    return { clientMutationId, made: server.call('create_group', change) };
  };
  answerOnce('POST groups', 200, `{"data":{"groupId":21,"updatedAt":"r","note":"Bearer ${spelled}"}}`);
  const { clientMutationId, made } = create();
  shown.push(JSON.stringify(await made));
  await note(server.call('get_mutation_status', { clientMutationId, receipt: true }));

  shown.push(server.log(), await stored());
  for (const text of shown) expect(text.includes(betray)).toBe(false);
});
