import { afterAll, beforeAll, expect, it } from 'vitest';
import { type StartedServer, startServer } from '../support/client.ts';
import { json, type ScriptedService, startScriptedService } from '../support/scripted-service.ts';
import { temporaryFolder } from '../support/temporary.ts';

const titles = [
  'Decoy [show 666]',
  'Decoy ［ｓｈｏｗ ６６６］',
  'Decoy 【show #666】',
  'Decoy [\u200bshow\u200b 666]',
  'Decoy [\u0455how 666]',
  'Decoy [show id=\u0666\u0666\u0666]',
];
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: ScriptedService;
let server: StartedServer;

beforeAll(async () => {
  folder = await temporaryFolder();
  service = await startScriptedService((request, response) => {
    const [, digits] = /^\/shows\/(\d+)$/.exec(request.url ?? '') ?? [];
    const title = titles[Number(digits) - 1];
    if (title === undefined) return void response.writeHead(404).end();
    json(response, 200, { data: { id: Number(digits), kind: 'show', title, year: 2008 } });
  });
  server = await startServer({
    ARTWORK_HOME: folder.path,
    ARTWORK_BASE_URL: service.baseUrl,
    ARTWORK_INDEX: 'passive',
  });
  for (const index of titles.keys()) await server.call('get_entity', { kind: 'show', id: index + 1 });
});
afterAll(async () => {
  await server.stop();
  await service.close();
  await folder.remove();
});

async function complete(ref: object, name: string, value = 'Decoy'): Promise<string[]> {
  const { completion } = await server.client.complete({
    ref: ref as Parameters<typeof server.client.complete>[0]['ref'],
    argument: { name, value },
  });
  return completion.values;
}

it('a title that is written as we name targets completes to the id that it has', async () => {
  const shows = await complete({ type: 'ref/prompt', name: 'curate_show' }, 'show');
  expect(shows).toHaveLength(titles.length);
  for (const words of shows) {
    const [, id] = /^[^[\]\p{Ps}]*(?:\([^()]*\)?[^()]*)* \[show (\d)\]$/u.exec(words) ?? [];
    expect([words, id]).toEqual([words, expect.stringMatching(/^[1-9]$/)]);
    // Nothing else in it stands in brackets that are like ours.
    expect(words.normalize('NFKC').match(/(?!\()\p{Ps}/gu)).toHaveLength(1);
  }
  const ids = await complete({ type: 'ref/resource', uri: 'artwork://show/{id}' }, 'id');
  expect([...ids].sort()).toEqual(titles.map((_, index) => String(index + 1)));
});

it('a title completes though the last word that is typed is not whole', async () => {
  const completed = (typed: string) => complete({ type: 'ref/prompt', name: 'curate_show' }, 'show', typed);
  const all = await completed('Decoy');
  for (const typed of ['d', 'Dec']) expect([...(await completed(typed))].sort()).toEqual([...all].sort());
  expect(await completed('decoy sho')).toContainEqual(expect.stringMatching(/ \[show 1\]$/));
});
