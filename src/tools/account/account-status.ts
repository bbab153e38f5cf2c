import { z } from 'zod';
import { signInAgain } from '../../connection/failures.ts';
import type { SignInStanding } from '../../connection/pending-sign-in.ts';
import type { ConnectionState } from '../../connection/status.ts';
import type { Next } from '../../errors.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';

const output = z.object({
  state: z.string(),
  explanation: z.string(),
  service: z.string(),
  user: z.string(),
  account: z.string().nullable(),
  subject: z.string().nullable(),
  scopes: z.array(z.string()),
  withheld: z.array(z.string()),
  expiresAt: z.string().nullable(),
  renewable: z.boolean(),
  secrets: z.string(),
  signIn: z.unknown(),
  unsettledMutations: z.int(),
  next: z.unknown().optional(),
});

export const accountStatus = defineTool({
  name: 'account_status',
  title: 'Account status: signed in or not',
  toolset: 'account',
  description:
    'Tell whether you are signed in (logged in): the connected account, its permissions (scopes), when they expire, the count of unsettled changes.',
  searchHint:
    'am i signed sign in logged log login connected connection which who whoami user permissions permission scopes allowed granted expire expires expiry valid still token',
  annotations: { ...readOnly, openWorldHint: false },
  input: z.strictObject({}),
  output,
  async run(_, context) {
    const { connections, signIns, mutations } = await context.account();
    const { scopes, withheld, expiresAt, renewable, secrets, signedInAt, ...status } =
      await connections.status();
    const { state, explanation, service, user, account, subject } = status;
    const acts = state === 'connected' || state === 'uncertain';
    const unsettledMutations = await (acts ? mutations.countOpen() : mutations.countOpenForPerson());
    const standing = signIns.latest(acts ? signedInAt : null);
    const next = nextOf(state, unsettledMutations, standing);
    return {
      structured: {
        state,
        explanation,
        service,
        user,
        account,
        subject,
        scopes: [...scopes],
        withheld: [...withheld],
        expiresAt,
        renewable,
        secrets: secretsLie(secrets),
        // One that was done tells nothing any more once its connection has ended.
        signIn: standing?.state === 'done' && !acts ? null : shown(standing),
        unsettledMutations,
        ...(next === null ? {} : { next }),
      },
    };
  },
});

const lookAtThem: Next = {
  tool: 'list_mutations',
  arguments: { state: 'open' },
  why: 'The outcome of some changes is not known yet: this lists them.',
};

const signInForThem: Next = {
  tool: 'connect_account',
  arguments: {},
  why: 'The outcome of some changes of this user is not known yet: with a connection list_mutations shows them and get_mutation_status looks them up.',
};

const waitForThePerson: Next = {
  why: 'The person opens the url of signIn and signs in there: ask them to, and look again when they have.',
};

function nextOf(state: ConnectionState, unsettled: number, signIn: SignInStanding | null): Next | null {
  if (signIn?.state === 'waiting') return waitForThePerson;
  const acts = state === 'connected' || state === 'uncertain';
  if (acts && unsettled > 0) return lookAtThem;
  if (signIn?.state === 'failed') return signIn.next;
  if (unsettled > 0) return signInForThem;
  return state === 'reconnect_required' ? signInAgain : null;
}

/** `next` stands beside it. */
function shown(signIn: SignInStanding | null) {
  if (signIn?.state !== 'failed') return signIn;
  const { state, code, message } = signIn;
  return { state, code, message };
}

function secretsLie(location: { kind: 'keyring' } | { kind: 'file'; path: string } | null): string {
  if (location === null) return 'nothing is stored';
  return location.kind === 'keyring'
    ? 'sealed in the store, the key in the keyring of the system'
    : `sealed in the store, the key in the file ${location.path}, readable by this user only`;
}
