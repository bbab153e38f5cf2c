import { z } from 'zod';

/** One way to fail, as `POST /.sandbox/faults` of a catalogue that was started with `--faults` takes it. */
export interface OrderedFault {
  readonly method: 'GET' | 'POST' | '*';
  /** Below `{base_url}` or the origin; `*` stands for one segment. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly do: string;
  readonly [more: string]: unknown;
}

const queued = z.object({ left: z.number(), fault: z.looseObject({ path: z.string() }) });
const effect = z.object({
  operation: z.string(),
  clientMutationId: z.string().nullable(),
  resource: z.object({ kind: z.string(), id: z.string() }),
});
const request = z.object({
  method: z.string(),
  path: z.string(),
  query: z.string(),
  status: z.number().nullable(),
});

/** Something that a mutation has really changed. */
export type Effect = z.infer<typeof effect>;
/** A request that has reached the catalogue; its status is null where no whole answer was sent. */
export type SeenRequest = z.infer<typeof request>;

/** The embedded catalogue's own side: what it is told to do, and what it really did. */
export interface CatalogueControl {
  fail(...faults: readonly OrderedFault[]): Promise<void>;
  /** Forgets the faults that are still to come. */
  heal(): Promise<void>;
  /** How many requests to a path are still to meet a fault. */
  left(path: string): Promise<number>;
  /** Everything that mutations have changed, the first one first. */
  effects(): Promise<Effect[]>;
  /** The latest requests, the first one first. */
  requests(): Promise<SeenRequest[]>;
}

export function controlOf(baseUrl: string): CatalogueControl {
  const { origin } = new URL(baseUrl);
  const ask = async (method: string, name: string, body?: unknown): Promise<unknown> => {
    const answer = await fetch(`${origin}/.sandbox/${name}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${name} was answered ${answer.status}.`);
    return answer.json();
  };
  return {
    fail: async (...faults) => {
      if (faults.length > 0) await ask('POST', 'faults', faults);
    },
    heal: async () => {
      await ask('DELETE', 'faults');
    },
    left: async (path) => {
      const { faults } = z.object({ faults: z.array(queued) }).parse(await ask('GET', 'faults'));
      return faults.filter(({ fault }) => fault.path === path).reduce((sum, { left }) => sum + left, 0);
    },
    effects: async () => z.object({ effects: z.array(effect) }).parse(await ask('GET', 'effects')).effects,
    requests: async () =>
      z.object({ requests: z.array(request) }).parse(await ask('GET', 'requests')).requests,
  };
}
