import { type NotConsumed, type Renewal, Secret, type TokenService } from '../../src/connections/grant.ts';
import { lifetime, type World } from './simulated-world.ts';

export interface Family {
  newest: string;
  /** Refresh tokens that were presented, and may have been consumed. */
  readonly spent: Set<string>;
  ended: boolean;
}

export interface SimulatedService {
  readonly families: readonly Family[];
  /** A consent: a grant of its own. */
  begin(): { readonly access: string; readonly refresh: string };
  isGood(accessToken: string): boolean;
  /** Lets the oldest request arrive that was late. */
  arrive(): boolean;
  endpoint(process: number): TokenService;
}

/**
 * A service whose refresh tokens rotate. Revoking ends a grant only by its newest token, as the strictest one
 * would have it.
 */
export function simulateService(world: World): SimulatedService {
  const families: Family[] = [];
  const refresh = new Map<string, Family>();
  const access = new Map<string, { family: Family; until: number }>();
  const late: (() => void)[] = [];
  let drawn = 0;
  const issue = (family: Family) => {
    drawn += 1;
    const tokens = { access: `access-${drawn}`, refresh: `refresh-${drawn}` };
    family.newest = tokens.refresh;
    refresh.set(tokens.refresh, family);
    access.set(tokens.access, { family, until: world.now + lifetime });
    return tokens;
  };
  const begin = () => {
    const family: Family = { newest: '', spent: new Set(), ended: false };
    families.push(family);
    return issue(family);
  };
  const isGood = (token: string) => {
    const found = access.get(token);
    return found !== undefined && !found.family.ended && found.until > world.now;
  };
  const rotate = (token: string): { access: string; refresh: string } | null => {
    const family = refresh.get(token);
    if (family === undefined || family.ended) return null;
    if (family.newest === token) return issue(family);
    family.ended = true; // Reuse.
    return null;
  };

  return {
    families,
    begin,
    isGood,
    arrive() {
      const arriving = late.shift();
      arriving?.();
      return arriving !== undefined;
    },
    endpoint: (process: number): TokenService => ({
      prepare: async () => undefined,
      async renew(refreshToken): Promise<Renewal> {
        const token = refreshToken.reveal();
        const proof = (why: NotConsumed['why']): Renewal => ({
          outcome: 'not_consumed',
          proof: { why, code: null, retryAfterMs: null },
        });
        const lost = (): Renewal => {
          world.harmed = true;
          return world.mistake === 'lost_called_unsent'
            ? proof('not_sent')
            : { outcome: 'unknown', code: null };
        };
        await world.turn(process);
        const fate = world.calm ? 9 : world.below(world.gentle ? 3 : 12);
        if (fate === 0) return proof('not_sent');
        const family = refresh.get(token);
        if (family?.spent.has(token) === true) world.wrong.push('a refresh token was presented twice');
        if (fate === 1) return proof(world.below(2) === 0 ? 'rate_limited' : 'invalid_client');
        family?.spent.add(token);
        if (fate === 3) return lost();
        if (fate === 4) {
          late.push(() => rotate(token));
          return lost();
        }
        const tokens = rotate(token);
        await world.turn(process);
        if (fate === 5) return lost();
        if (tokens === null) return { outcome: 'refused' };
        const answer = {
          accessToken: new Secret(tokens.access),
          refreshToken: new Secret(tokens.refresh),
          expiresInSeconds: lifetime / 1000,
          scopes: null,
        };
        return { outcome: 'granted', answer, subject: null };
      },
      async revoke(token) {
        await world.turn(process);
        const fate = world.calm ? 9 : world.below(8);
        const failed = { outcome: 'failed', why: 'network', code: null } as const;
        if (fate === 0) return world.mistake === 'unrevoked_called_revoked' ? { outcome: 'revoked' } : failed;
        const family = refresh.get(token.reveal());
        if (family?.newest === token.reveal()) family.ended = true;
        await world.turn(process);
        return fate === 1 ? failed : { outcome: 'revoked' };
      },
    }),
  };
}
