import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { errorOf, type StartedServer, startServer } from '../support/client.ts';
import { json, type ScriptedService, startScriptedService } from '../support/scripted-service.ts';

const pageSize = 10;
let service: ScriptedService;
let server: StartedServer;
/** Ids of the episodes, in the order of the index. */
let ids: number[] = [];

beforeAll(async () => {
  service = await startScriptedService((request, response) => {
    const [, number = '1'] = /^\/episodes(?:\/pages\/(\d+))?$/.exec(request.url ?? '') ?? [];
    const page = Number(number);
    const totalPages = Math.ceil(ids.length / pageSize);
    if (page > totalPages)
      return json(response, 404, { data: null, error: { code: 'not_found', message: 'Gone.' } });
    const data = ids
      .slice((page - 1) * pageSize, page * pageSize)
      .map((id) => ({ id, title: `Episode ${id}` }));
    const nextPage = page < totalPages ? `/episodes/pages/${page + 1}` : null;
    json(response, 200, { data, meta: { page, totalPages, nextPage } });
  });
  server = await startServer({ ARTWORK_BASE_URL: service.baseUrl, ARTWORK_INDEX: 'off' });
});
afterAll(async () => {
  await server.stop();
  await service.close();
});
beforeEach(() => {
  ids = Array.from({ length: 50 }, (_, at) => at + 1);
});

const page = z.object({ data: z.array(z.object({ id: z.int() })), nextCursor: z.string().nullable() });

async function read(cursor: string | null): Promise<z.output<typeof page>> {
  const result = await server.call('list_episodes', { limit: 20, ...(cursor === null ? {} : { cursor }) });
  expect(result.isError, JSON.stringify(result.content)).toBeUndefined();
  return page.parse(result.structuredContent);
}

it('where an index has shrunk, the error has the call that begins again', async () => {
  const first = await read(null);
  const second = await read(first.nextCursor);
  ids = [1, 2, 3];
  const refused = errorOf(await server.call('list_episodes', { limit: 20, cursor: second.nextCursor }));
  expect(refused).toMatchObject({
    error: { category: 'snapshot_expired' },
    next: { tool: 'list_episodes', arguments: { limit: 20 } },
  });
  const { tool, arguments: args } = z
    .object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) })
    .parse(refused.next);
  expect(page.parse((await server.call(tool, args)).structuredContent).data).toEqual(
    ids.map((id) => ({ id })),
  );
});
