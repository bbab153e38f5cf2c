import type { ArtworkError, Next } from '../errors.ts';
import type { SignIn, SignInRequest } from './sign-in.ts';

/** The state of the last sign-in that this process began. */
export type SignInStanding =
  | { readonly state: 'waiting'; readonly url: string; readonly expiresAt: string }
  | { readonly state: 'done' }
  /** Another sign-in of this user was completed after it began. */
  | { readonly state: 'superseded'; readonly message: string }
  | { readonly state: 'failed'; readonly code: string; readonly message: string; readonly next: Next };

/** No tool: a person who declined or did not come is not sent to the page again without being asked. */
const askThePerson: Next = {
  why: 'Ask the person whether they want to sign in again. connect_account then answers with a new address.',
};

/** Sign-ins that go on in the background; a later call asks for the state of the last one. */
export type PendingSignIn = ReturnType<typeof createPendingSignIn>;

/** Keeps the sign-in that a tool has begun, until a later call asks how it stands. */
export function createPendingSignIn(connections: { signIn(request: SignInRequest): Promise<SignIn> }) {
  let last: SignIn | null = null;
  let standing: SignInStanding | null = null;
  return {
    /** @throws what `Connections.signIn` throws */
    async begin(scopes: readonly string[]): Promise<SignIn> {
      const signIn = await connections.signIn({ scopes });
      last = signIn;
      standing = { state: 'waiting', url: signIn.url, expiresAt: signIn.expiresAt };
      // The end of an earlier sign-in is not the state of the last one.
      const settle = (ended: SignInStanding) => {
        if (last === signIn) standing = ended;
      };
      signIn.done.then(
        () => settle({ state: 'done' }),
        ({ code, message, next = askThePerson }: ArtworkError) =>
          settle({ state: 'failed', code, message, next }),
      );
      return signIn;
    },
    /** @param signedInAt when the connection was made that is in use, ISO 8601; null: none is */
    latest(signedInAt: string | null): SignInStanding | null {
      if (last === null || standing === null) return null;
      const isOvertaken = signedInAt !== null && signedInAt >= last.beganAt;
      return isOvertaken && endsUndecided(standing) ? superseded : standing;
    },
  };
}

const superseded: SignInStanding = {
  state: 'superseded',
  message: 'Another sign-in was completed after this one began. Nothing is left to do in the browser.',
};

/** Whether no person has decided anything in it. */
function endsUndecided(standing: SignInStanding): boolean {
  if (standing.state === 'waiting') return true;
  return standing.state === 'failed' && ['sign_in_expired', 'sign_in_cancelled'].includes(standing.code);
}
