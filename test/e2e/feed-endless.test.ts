import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { startServer } from '../support/client.ts';
import { json, startScriptedService } from '../support/scripted-service.ts';

const page = z.object({ data: z.array(z.unknown()), nextCursor: z.string().nullable() });

it('reads at most 20 pages of a feed in one call, and goes on from there', async () => {
  const snapshot = randomUUID();
  const service = await startScriptedService(({ url = '' }, response) => {
    const number = Number(/\/pages\/[^/]+\/(\d+)$/.exec(url)?.[1] ?? 1);
    const change = {
      assetId: randomUUID(),
      kind: 'asset',
      slot: 'poster',
      target: { id: number, kind: 'movie' },
      changeType: 'added',
      changedAt: '2026-01-02T03:04:05.000Z',
      replacements: [],
    };
    const nextPage = `/feeds/assets/pages/${snapshot}/${number + 1}`;
    json(response, 200, { data: [change], meta: { snapshot, page: number, totalPages: 1_000, nextPage } });
  });
  const server = await startServer({ ARTWORK_BASE_URL: service.baseUrl });
  try {
    // None of the first pages holds a film of this id.
    const asked = { feed: 'assets', targetKind: 'movie', targetId: 2_000 };
    const first = page.parse((await server.call('read_feed', asked)).structuredContent);
    expect(first.data).toEqual([]);
    expect(first.nextCursor).not.toBeNull();
    expect(service.requests).toHaveLength(20);
    // Operators are told what reads here, and where to complain.
    for (const { headers } of service.requests)
      expect(headers['user-agent']).toMatch(/^artwork-mcp\/\S+ \(.+; \+https:\/\/\S+\)$/);
    const again = { ...asked, cursor: first.nextCursor };
    const second = page.parse((await server.call('read_feed', again)).structuredContent);
    expect(second.nextCursor).not.toBeNull();
    expect(service.requests.length).toBeGreaterThan(35);
    expect(service.requests.length).toBeLessThanOrEqual(41);
  } finally {
    await server.stop();
    await service.close();
  }
});
