import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorOf, type StartedServer, startServer } from '../support/client.ts';
import { json, type ScriptedService, startScriptedService } from '../support/scripted-service.ts';

let service: ScriptedService;
let server: StartedServer;

const set = (id: number) => ({ id, createdBy: 'ada', title: 'Cards', dateUpdated: '2026-11-01T00:00:00Z' });
const show = (id: number, sets: readonly number[]) => ({
  id,
  kind: 'show',
  title: 'Wexmoor',
  sets: sets.map(set),
});

/** The numbers of works and those of Sets are apart: 7 is a show, and the Set of a film. */
const records: Readonly<Record<string, object>> = {
  '/shows/7': show(7, [41, 42]),
  '/shows/8': show(8, [43]),
  '/movie-set/7': { ...set(7), movie: { id: 3, title: 'Serenity' } },
  '/show-set/9': { ...set(9), show: { id: 8, title: 'Wexmoor', seasons: [] } },
  '/show-set/43': { ...set(43), show: { id: 8, title: 'Wexmoor', seasons: [] } },
};

beforeAll(async () => {
  service = await startScriptedService((request, response) => {
    const record = records[request.url ?? ''];
    if (record !== undefined) return json(response, 200, { data: record });
    json(response, 404, { data: null, error: { code: 'not_found', message: 'There is none.' } });
  });
  server = await startServer({ ARTWORK_BASE_URL: service.baseUrl, ARTWORK_INDEX: 'off' });
});
afterAll(async () => {
  await server.stop();
  await service.close();
});

const setsOf7 = { tool: 'get_entity', arguments: { kind: 'show', id: 7, include: ['sets'] } };

describe('the id of a show in the place of a Set', () => {
  it.each([
    ['get_set', { kind: 'show_set', id: 7 }],
    ['get_set', { kind: 'show', id: 7 }],
    ['get_set', { kind: 'TV series', id: '7' }],
    ['download_set', { kind: 'show', id: 7, layout: 'plex' }],
  ])('leads %s to the Sets of the show, and to no Set of the same number', async (tool, args) => {
    const { next } = errorOf(await server.call(tool, args));
    expect(next).toMatchObject(setsOf7);
    const listed = await server.call('get_entity', setsOf7.arguments);
    expect(listed.structuredContent).toMatchObject({ data: { sets: [{ id: 41 }, { id: 42 }] } });
  });

  it('leads to the Set itself where the show has one alone', async () => {
    const { error, next } = errorOf(await server.call('get_set', { kind: 'show_set', id: 8 }));
    expect(error.message).toContain('but a show of that id');
    expect(next).toMatchObject({ tool: 'get_set', arguments: { kind: 'show_set', id: 43 } });
    expect((await server.call('get_set', { kind: 'show_set', id: 43 })).isError).not.toBe(true);
  });

  it('is no Set of another kind where such a one was asked for', async () => {
    const { next } = errorOf(await server.call('get_set', { kind: 'movie_set', id: 9 }));
    expect(next).toMatchObject({ tool: 'get_set', arguments: { kind: 'show_set', id: 9 } });
  });
});
