import { z } from 'zod';

const milliseconds = z.int().min(0).max(600_000);

/** Which requests a fault meets. */
const matching = {
  method: z.enum(['GET', 'HEAD', 'POST', '*']).default('*'),
  /** Below `{base_url}`, or below the origin; `*` and `{name}` stand for one segment each. */
  path: z.string().startsWith('/'),
  /** Parameters that the query must have, such as an item's id. */
  query: z.record(z.string(), z.string()).default({}),
  /** How many matching requests it lets pass first, and how many it then meets. */
  skip: z.int().min(0).default(0),
  count: z.int().min(1).max(1_000_000).default(1),
};

/**
 * `before`: at the headers, the body unread. `received`: the body has come whole, and nothing was done with
 * it. `after`: the effect is durable, and its answer is about to be sent.
 */
const anyTime = z.enum(['before', 'received', 'after']).default('after');

/** One way in which the catalogue is to fail, for tests of its clients. */
export const faultSchema = z.discriminatedUnion('do', [
  /** Answers with this instead. */
  z.strictObject({
    ...matching,
    do: z.literal('answer'),
    when: anyTime,
    status: z.int().min(200).max(599),
    headers: z.record(z.string(), z.string()).default({}),
    /** A string is sent as it is, anything else as JSON. */
    body: z.unknown().optional(),
  }),
  /** Answers 503 `set_creation_upload.outcome_unresolved` instead. */
  z.strictObject({ ...matching, do: z.literal('unresolved'), when: anyTime }),
  /** Cuts the connection. */
  z.strictObject({ ...matching, do: z.literal('cut'), when: anyTime }),
  /** Never answers; cuts the connection in the end. */
  z.strictObject({
    ...matching,
    do: z.literal('silence'),
    when: anyTime,
    milliseconds: milliseconds.default(60_000),
  }),
  /** Goes on later. */
  z.strictObject({
    ...matching,
    do: z.literal('delay'),
    when: z.enum(['before', 'after']).default('after'),
    milliseconds,
  }),
  /** Sends the headers and half of the body, then cuts the connection. */
  z.strictObject({ ...matching, do: z.literal('truncate'), when: z.literal('after').default('after') }),
  /**
   * Lets the presented access token expire, and every other of its connection: before the request is judged,
   * or once it has been answered.
   */
  z.strictObject({
    ...matching,
    do: z.literal('expire_token'),
    when: z.enum(['before', 'after']).default('after'),
  }),
  /**
   * Work goes on for a while after its answer, and then succeeds, or fails: that of a single upload, of an
   * item's file, or of a submission's completion, whose outcome can be `unresolved` meanwhile.
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
export type Moment = Fault['when'];
