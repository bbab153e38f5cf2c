import { z } from 'zod';

const milliseconds = z.int().min(0).max(600_000);

/** Which requests a fault applies to. */
const matching = {
  method: z.enum(['GET', 'HEAD', 'POST', '*']).default('*'),
  /** Below `{base_url}` or below the origin; `*` and `{name}` stand for one segment each. */
  path: z.string().startsWith('/'),
  /** Parameters that the query must have, such as an item's id. */
  query: z.record(z.string(), z.string()).default({}),
  /** How many matching requests it skips first, and how many it then applies to. */
  skip: z.int().min(0).default(0),
  count: z.int().min(1).max(1_000_000).default(1),
};

/**
 * `before`: when the headers have arrived. `received`: when the whole body has arrived and nothing was done
 * with it. `after`: when the effect is durable and the answer is about to be sent.
 */
const anyTime = z.enum(['before', 'received', 'after']).default('after');

/** One failure to inject, for tests of the catalogue's clients. */
export const faultSchema = z.discriminatedUnion('do', [
  /** Sends this answer instead. */
  z.strictObject({
    ...matching,
    do: z.literal('answer'),
    when: anyTime,
    status: z.int().min(200).max(599),
    headers: z.record(z.string(), z.string()).default({}),
    /** A string is sent as it is, any other value as JSON. */
    body: z.unknown().optional(),
  }),
  /** Sends 503 `set_creation_upload.outcome_unresolved` instead. */
  z.strictObject({ ...matching, do: z.literal('unresolved'), when: anyTime }),
  /** Cuts the connection. */
  z.strictObject({ ...matching, do: z.literal('cut'), when: anyTime }),
  /** Sends nothing and cuts the connection after a while. */
  z.strictObject({
    ...matching,
    do: z.literal('silence'),
    when: anyTime,
    milliseconds: milliseconds.default(60_000),
  }),
  /** Continues later. */
  z.strictObject({
    ...matching,
    do: z.literal('delay'),
    when: z.enum(['before', 'after']).default('after'),
    milliseconds,
  }),
  /** Sends the headers and half of the body, then cuts the connection. */
  z.strictObject({ ...matching, do: z.literal('truncate'), when: z.literal('after').default('after') }),
  /**
   * Expires the presented access token and all others of its connection: before the request is authorized, or
   * after it was answered.
   */
  z.strictObject({
    ...matching,
    do: z.literal('expire_token'),
    when: z.enum(['before', 'after']).default('after'),
  }),
  /**
   * Continues processing for a while after the answer, and then succeeds or fails: a single upload, an item's
   * file, or the completion of a submission, whose outcome can be `unresolved` in the meantime.
   */
  z.strictObject({
    ...matching,
    do: z.literal('process'),
    when: z.literal('between').default('between'),
    milliseconds,
    unresolved: z.boolean().default(false),
    failure: z.strictObject({ code: z.string(), message: z.string() }).nullable().default(null),
  }),
]);

export type Fault = z.infer<typeof faultSchema>;
export type FaultOf<Do extends Fault['do']> = Extract<Fault, { do: Do }>;
export type FaultMoment = Fault['when'];
