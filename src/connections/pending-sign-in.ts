import { ArtworkError, type Next } from '../errors.ts';
import type { Connections } from './connections.ts';
import type { SignIn } from './sign-in/sign-ins.ts';

/** The state of the last sign-in that this process began. */
export type SignInStanding =
  | { readonly state: 'waiting'; readonly url: string; readonly expiresAt: string }
  | { readonly state: 'done' }
  /** Another sign-in of this user was completed after it began. */
  | { readonly state: 'superseded'; readonly message: string }
  | {
      readonly state: 'failed';
      readonly code: string;
      readonly message: string;
      readonly next: Next;
    };

/** No tool: a person who declined or did not come is not sent to the page again without being asked. */
const askThePerson: Next = {
  why: 'The person decides whether to sign in again: ask them; connect_account then answers with a new address.',
};

const superseded: SignInStanding = {
  state: 'superseded',
  message:
    'Another sign-in was completed after this one began, so that nothing needs to be done in the browser any more.',
};

/** Sign-ins that go on in the background; a later call asks for the state of the last one. */
export type PendingSignIn = ReturnType<typeof createPendingSignIn>;

/** Keeps the sign-in that a tool has begun, until a later call asks how it stands. */
export function createPendingSignIn(connections: Pick<Connections, 'signIn'>) {
  let latest: { readonly standing: SignInStanding; readonly beganAt: string } | null = null;
  let current = 0;
  return {
    /** @throws what `Connections.signIn` throws */
    async begin(scopes: readonly string[]): Promise<SignIn> {
      const signIn = await connections.signIn({ scopes });
      current += 1;
      const own = current;
      const settle = (standing: SignInStanding) => {
        // The end of an earlier sign-in is not the state of the last one.
        if (own === current) latest = { standing, beganAt: signIn.beganAt };
      };
      settle({ state: 'waiting', url: signIn.url, expiresAt: signIn.expiresAt });
      signIn.done.then(
        () => settle({ state: 'done' }),
        (error: unknown) => {
          const known = error instanceof ArtworkError;
          const code = known ? error.code : 'internal';
          settle({
            state: 'failed',
            code,
            message: known ? error.message : 'The sign-in failed inside this server.',
            next: (known ? error.next : undefined) ?? askThePerson,
          });
        },
      );
      return signIn;
    },
    /** @param signedInAt when the connection was made that is in use, ISO 8601; null: none is */
    latest(signedInAt: string | null): SignInStanding | null {
      if (latest === null) return null;
      const { standing, beganAt } = latest;
      const isOvertaken = signedInAt !== null && signedInAt >= beganAt;
      return isOvertaken && endsUndecided(standing) ? superseded : standing;
    },
  };
}

/** Whether no person has decided anything in it. */
function endsUndecided(standing: SignInStanding): boolean {
  const { state } = standing;
  const undecided = ['sign_in_expired', 'sign_in_cancelled'];
  return state === 'waiting' || (state === 'failed' && undecided.includes(standing.code));
}
