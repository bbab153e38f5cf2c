import { z } from 'zod';
import { storeError } from '../store/errors.ts';
import type { Seal } from '../store/seal.ts';
import { jsonOf } from '../text.ts';

const mask = '[secret]';

/** A token, hidden from every way of printing it. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** For a request alone. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return mask;
  }

  toJSON(): string {
    return mask;
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return mask;
  }
}

/** Names a sign-in: 32 hexadecimal digits, drawn at random. */
export const connectionId = z
  .string()
  .regex(/^[0-9a-f]{32}$/)
  .brand('ConnectionId');

/**
 * - `active`: it is used; with `presenting`, its refresh token may be on its way.
 * - `uncertain`: its refresh token left, and nothing says whether it was consumed. The access token serves while it is
 *   good; the one who sent it may still hear of the outcome.
 * - `reconnect_required`: only a new sign-in helps; `reason` says why.
 * - `disconnecting`: nothing uses it any more, and the service has still to be told.
 */
const states = ['active', 'uncertain', 'reconnect_required', 'disconnecting'] as const;

/** Why only a new sign-in helps: `reconnectWords` says it. */
const reconnectReasons = ['refused', 'uncertain', 'no_refresh_token', 'replaced', 'another_app'] as const;
export type ReconnectReason = (typeof reconnectReasons)[number];

/** What a Date can hold, ms. */
const instant = z.number().min(-8.64e15).max(8.64e15);

const rowSchema = z.object({
  state: z.enum(states),
  reason: z.enum(reconnectReasons).nullable(),
  /** The registered app that it is of. */
  clientId: z.string(),
  /** The name of its authorization server in identities (`iss`). */
  issuer: z.string(),
  connection: connectionId,
  /** Counts the tokens that were received: 1 are those of the sign-in, each renewal adds one. */
  generation: z.int().positive(),
  /** The tokens, sealed under `connection` and `generation`. */
  sealed: z.string(),
  /** Whether a refresh token is among them. */
  renewable: z.boolean(),
  /** Who may have sent the refresh token; nobody else may as long as it stands here. */
  presenting: z.object({ id: z.string(), holder: z.string() }).nullable(),
  /** null: the service did not tell (`openid` was not granted). */
  subject: z.string().nullable(),
  /** The account's own name: other people's words, cleaned. */
  account: z.string().nullable(),
  scopes: z.array(z.string()),
  /** What the sign-in asked for. */
  asked: z.array(z.string()),
  /** The service did not say which scopes it granted. */
  scopesUntold: z.boolean(),
  /** Of the access token, milliseconds since 1970 by this machine's clock; null: the service did not say. */
  expiresAt: instant.nullable(),
  signedInAt: instant,
  /** When the access token was issued. */
  renewedAt: instant,
});

/** One connection: one row for a service and a person, changed as a whole. */
export type ConnectionRow = Readonly<z.infer<typeof rowSchema>>;

/** Whose connection it is. */
export interface ConnectionKey {
  /** `{base_url}` without a trailing slash. */
  readonly service: string;
  /** `ARTWORK_USER`. */
  readonly person: string;
}

/** A row as it was seen. Version 0: there never was one. A row that was deleted leaves its version behind. */
export interface SeenRow<Row = ConnectionRow | null> {
  readonly version: number;
  readonly row: Row;
}

/**
 * Where the rows are. Rejections are the store's errors; a write that rejects may have happened. What can't be read is
 * never taken for no connection.
 */
export interface ConnectionRows {
  read(key: ConnectionKey): Promise<SeenRow>;
  /** Writes if nobody else has since that version was seen; null deletes. */
  write(key: ConnectionKey, seenVersion: number, row: ConnectionRow | null): Promise<'won' | 'lost'>;
}

/** The row that a text of the store holds. @throws store_unreadable */
export function parseRow(text: string): ConnectionRow | null {
  const parsed = rowSchema.nullable().safeParse(jsonOf(text));
  if (parsed.success) return parsed.data;
  const message = 'The stored connection is damaged. Restore the whole data folder from a backup.';
  throw storeError('store_unreadable', message);
}

export interface Tokens {
  readonly access: Secret;
  /** null: none came (`offline_access` was not granted). */
  readonly refresh: Secret | null;
}

const tokensSchema = z.object({ access: z.string().min(1), refresh: z.string().min(1).nullable() });

type Place = Pick<ConnectionRow, 'connection' | 'generation'>;

/** Tokens, sealed so that they are good in this row and generation alone. @throws the seal's errors */
export function sealTokens(seal: Pick<Seal, 'seal'>, key: ConnectionKey, place: Place, tokens: Tokens) {
  const plain = { access: tokens.access.reveal(), refresh: tokens.refresh?.reveal() ?? null };
  return seal.seal(nameOf(key), generationOf(place), JSON.stringify(plain));
}

/** The tokens of a row. @throws the seal's errors, such as key_missing and record_tampered */
export async function openTokens(
  seal: Pick<Seal, 'open'>,
  key: ConnectionKey,
  row: Place & Pick<ConnectionRow, 'sealed'>,
): Promise<Tokens> {
  const plain = tokensSchema.parse(jsonOf(await seal.open(nameOf(key), generationOf(row), row.sealed)));
  return {
    access: new Secret(plain.access),
    refresh: plain.refresh === null ? null : new Secret(plain.refresh),
  };
}

const nameOf = ({ service, person }: ConnectionKey): string =>
  JSON.stringify(['connection', service, person]);
const generationOf = ({ connection, generation }: Place): string => `${connection} ${generation}`;

/** An access token for one request, with what is needed to judge a 401 to it. */
export interface Bearer extends Place {
  readonly token: Secret;
  readonly subject: string | null;
  readonly scopes: readonly string[];
  readonly scopesUntold?: boolean | undefined;
}

/**
 * The scopes of a new connection: what the service said, and what shows itself by its effect (the account's id came; a
 * refresh token came), since some services list only the scopes of the resource. Where such a list leaves out `openid`
 * though the account's id came, it leaves out `profile` as well.
 * @param told as the service says; null: it does not say
 */
export function grantedScopes(
  asked: readonly string[],
  told: readonly string[] | null,
  { subject, renewable }: Pick<ConnectionRow, 'subject' | 'renewable'>,
): string[] {
  const effect: Readonly<Record<string, boolean>> = { openid: subject !== null, offline_access: renewable };
  if (told === null) return asked.filter((scope) => scope !== 'offline_access' || renewable);
  const shown = asked.filter((scope) => effect[scope] === true);
  const tellsResourceAlone = subject !== null && asked.includes('openid') && !told.includes('openid');
  const likely = tellsResourceAlone ? asked.filter((scope) => scope === 'profile') : [];
  return [...new Set([...told, ...shown, ...likely])];
}

const identityScopes: readonly string[] = ['openid', 'profile', 'offline_access'];

/** The scopes after a renewal, which keeps them (Authentication 9) unless the service says that it narrowed them. */
export function renewedScopes(before: readonly string[], told: readonly string[] | null): string[] {
  // An empty list is nothing that a renewal can mean.
  if (told === null || told.length === 0) return [...before];
  return [...new Set([...told, ...before.filter((scope) => identityScopes.includes(scope))])];
}

/** Scopes that the sign-in asked for and that were not granted, as far as that is known. */
export function withheldScopes({ asked, scopes }: Pick<ConnectionRow, 'asked' | 'scopes'>): string[] {
  return asked.filter((scope) => !scopes.includes(scope));
}

/** Sentences on what was not granted; none where all was. */
export function permissionWords(row: Pick<ConnectionRow, 'asked' | 'scopes' | 'scopesUntold'>): string[] {
  const withheld = withheldScopes(row);
  const untold = 'The service did not say which permissions it granted, so some of them may be missing.';
  return [
    ...(withheld.length === 0 ? [] : [`Not granted, though asked for: ${withheld.join(' ')}.`]),
    ...(row.scopesUntold ? [untold] : []),
  ];
}
