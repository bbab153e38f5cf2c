import type { IncomingMessage, ServerResponse } from 'node:http';
import sharp from 'sharp';
import { json, type ScriptedService, startScriptedService } from './scripted-service.ts';

export type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** A service that shows Sets and pictures as a test tells it; what it is not told of is not found. */
export interface SetService extends ScriptedService {
  /** Sets and groups by their path: `/show-set/1`. */
  readonly sets: Map<string, object>;
  /** Pictures by their path. */
  readonly pictures: Map<string, Answer>;
  /** The feeds by name, the newest item first; a feed that is not there is not found. */
  readonly feeds: Map<'assets' | 'sets', readonly object[]>;
  /** How often each picture was asked for. */
  asked(): Record<string, number>;
}

export async function startSetService(): Promise<SetService> {
  const sets = new Map<string, object>();
  const pictures = new Map<string, Answer>();
  const feeds: SetService['feeds'] = new Map();
  const service = await startScriptedService((request, response) => {
    const path = request.url ?? '';
    const [, feed, page = '1'] = /^\/feeds\/(assets|sets)(?:\/pages\/s\/(\d+))?$/.exec(path) ?? [];
    const items = feed === 'assets' || feed === 'sets' ? feeds.get(feed) : undefined;
    if (items !== undefined) {
      const [at, totalPages] = [Number(page), Math.max(1, Math.ceil(items.length / feedPage))];
      const nextPage = at < totalPages ? `/feeds/${feed}/pages/s/${at + 1}` : null;
      const meta = { snapshot: '00000000-0000-4000-8000-00000000feed', page: at, totalPages, nextPage };
      return json(response, 200, { data: items.slice((at - 1) * feedPage, at * feedPage), meta });
    }
    const set = sets.get(path);
    if (set !== undefined) return json(response, 200, { data: set });
    const picture = pictures.get(path);
    if (picture !== undefined) return picture(response, request);
    json(response, 404, { data: null, error: { code: 'not_found', message: 'It is not there.' } });
  });
  return {
    ...service,
    sets,
    pictures,
    feeds,
    asked() {
      const counts: Record<string, number> = {};
      for (const { url } of service.requests) if (pictures.has(url)) counts[url] = (counts[url] ?? 0) + 1;
      return counts;
    },
  };
}

const feedPage = 50;

/** The path of the numbered Asset. */
export function artwork(number: number): string {
  return `/artwork/00000000-0000-4000-8000-${String(number).padStart(12, '0')}.png`;
}

/** Answers with these bytes. */
export function sends(bytes: Buffer, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': bytes.length, ...headers });
    response.end(bytes);
  };
}

type Format = 'png' | 'jpeg' | 'webp' | 'gif';

/** A small picture with something on it; each number another one. */
export async function drawing(number: number, format: Format = 'png'): Promise<Buffer> {
  const overlay = { create: { width: 8, height: 8, channels: 3, background: '#ffffff' } } as const;
  return sharp({
    create: { width: 40, height: 60, channels: 3, background: { r: number % 200, g: 80, b: 120 } },
  })
    .composite([{ input: overlay, left: number % 30, top: (number * 7) % 50 }])
    .toFormat(format)
    .toBuffer();
}

/** A show Set with title cards of so many episodes of its first season. */
export function showSet(id: number, title: string, cards: readonly (string | null)[], more: object = {}) {
  const episodes = cards.map((titlecard, index) => ({
    id: 1_000 + index,
    episodeNumber: index + 1,
    titlecard,
  }));
  return {
    ...{ id, title: `${title} · set`, description: null, createdBy: 'Ada', language: 'en', boxset: null },
    ...{ dateCreated: '2026-01-01T00:00:00Z', dateUpdated: '2026-11-01T00:00:00Z' },
    show: {
      ...{ id: 1, title, year: 2008, poster: null, backdrop: null, logo: null, squareArt: null, thumb: null },
      seasons: [{ id: 10, seasonNumber: 1, poster: null, backdrop: null, episodes }],
    },
    ...more,
  };
}
