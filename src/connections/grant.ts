import { z } from 'zod';
import { Secret } from './secret.ts';

/** Drawn for each sign-in and never used again, so that generations of two sign-ins are never mixed up. */
export type ConnectionId = string & { readonly __brand: 'ConnectionId' };

export const connectionId = z.custom<ConnectionId>(
  (value) => typeof value === 'string' && /^[0-9a-f]{32}$/.test(value),
);

/** Names one record. Generation 0 is what a sign-in received before it was checked, 1 the checked sign-in. */
export interface GrantPosition {
  readonly connection: ConnectionId;
  readonly generation: number;
}

/** Why an answer of the service can't be used. It is kept all the same, since it can be revoked. */
export type Flaw = 'unchecked' | 'unusable_answer' | 'other_subject';

interface Held {
  /** null: none came (`offline_access` was not granted), or none that can be used. */
  readonly refreshToken: Secret | null;
  /** Milliseconds since 1970 by this machine's clock; null: the service did not say (Authentication). */
  readonly expiresAt: number | null;
  /** Of the access token, in milliseconds; null where `expiresAt` is. */
  readonly lifetime: number | null;
  readonly scopes: readonly string[];
  /** The scopes that the sign-in asked for; null: stored by a version that did not keep them. */
  readonly asked: readonly string[] | null;
  /** `sub` of the account; null: unknown, because `openid` was not granted or no id_token came. */
  readonly subject: string | null;
  /** The account's own name for people; untrusted text, cleaned. */
  readonly account: string | null;
  readonly signedInAt: number;
  readonly renewedAt: number;
}

/** One generation of a connection: written once, never changed. */
export type Grant =
  | (Held & { readonly flaw: null; readonly accessToken: Secret })
  | (Held & { readonly flaw: Flaw; readonly accessToken: Secret | null });

export type UsableGrant = Extract<Grant, { flaw: null }>;

/** An access token for one request, with what is needed to judge a 401 to it. */
export interface Bearer extends GrantPosition {
  readonly token: Secret;
  readonly subject: string | null;
  readonly scopes: readonly string[];
}

/** The access token of a grant, as calls use it. */
export function bearerOf({ connection, generation }: GrantPosition, grant: UsableGrant): Bearer {
  return { connection, generation, token: grant.accessToken, subject: grant.subject, scopes: grant.scopes };
}

/** Whether the access token of a grant has ended. */
export function isTokenExpired({ expiresAt }: Grant, now: number): boolean {
  return expiresAt !== null && now >= expiresAt;
}

/** The scopes that were asked for and not granted, as far as that is known. */
export function withheldScopes({ asked, scopes }: Pick<Grant, 'asked' | 'scopes'>): readonly string[] {
  return (asked ?? []).filter((scope) => !scopes.includes(scope));
}

/** Whether two grants are of one account, as far as their subjects are known. */
export function compareAccounts(one: Grant | null, other: Grant | null): 'same' | 'different' | 'unknown' {
  if (one === null || other === null || one.subject === null || other.subject === null) return 'unknown';
  return one.subject === other.subject ? 'same' : 'different';
}

/**
 * Whether it is time to renew: a minute before the end, since clocks differ and requests take time, but no earlier than in
 * the last fifth of the token's life.
 */
export function isRenewalDue({ expiresAt, lifetime }: Grant, now: number): boolean {
  if (expiresAt === null || lifetime === null) return false;
  return now >= expiresAt - Math.min(60_000, lifetime / 5);
}

const secret = z
  .string()
  .min(1)
  .transform((value) => new Secret(value));
/** What a Date can hold, in milliseconds. */
const instant = z.number().min(-8.64e15).max(8.64e15);
const held = {
  refreshToken: secret.nullable(),
  // Earlier versions stored any number that the service sent. Without a date the service's 401 tells the end.
  expiresAt: instant.nullable().catch(null),
  lifetime: instant.nonnegative().nullable().catch(null),
  scopes: z.array(z.string()),
  asked: z.array(z.string()).nullable().default(null),
  subject: z.string().nullable(),
  account: z.string().nullable(),
  signedInAt: instant,
  renewedAt: instant,
};
const flawed = { ...held, accessToken: secret.nullable() };

const grantSchema: z.ZodType<Grant> = z.discriminatedUnion('flaw', [
  z.object({ ...held, flaw: z.null(), accessToken: secret }),
  z.object({ ...flawed, flaw: z.enum(['unchecked', 'unusable_answer', 'other_subject']) }),
]);

/** For sealing only: the text holds the tokens. */
export function writeGrant(grant: Grant): string {
  return JSON.stringify({
    ...grant,
    accessToken: grant.accessToken?.reveal() ?? null,
    refreshToken: grant.refreshToken?.reveal() ?? null,
  });
}

/** Null where the text is not a grant. The parser's error is dropped, since it quotes the text. */
export function readGrant(text: string): Grant | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null;
  }
  const parsed = grantSchema.safeParse(json);
  return parsed.success ? parsed.data : null;
}
