import { z } from 'zod';
import { signInAgain } from '../../connection/failures.ts';
import type { SignInStanding } from '../../connection/pending-sign-in.ts';
import type { ConnectionStatus } from '../../connection/status.ts';
import type { Next } from '../../errors.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';

export const accountStatus = defineTool({
  name: 'account_status',
  title: 'Account status: signed in or not',
  toolset: 'account',
  description:
    'Tell whether you are signed in (logged in), as which account, and with which permissions (scopes). connect_account signs in; list_mutations lists unsettled changes.',
  searchHint:
    'am i who whoami user which connection connected login logged granted allowed expired expiry token',
  annotations: { ...readOnly, openWorldHint: false },
  input: z.strictObject({}),
  output: z.looseObject({ state: z.string(), explanation: z.string() }),
  async run(_, context) {
    const { connections, signIns, mutations } = await context.account();
    const status = await connections.status();
    const { state, explanation, service, user, account, subject, scopes, withheld } = status;
    const { expiresAt, renewable, signedInAt } = status;
    const acts = state === 'connected' || state === 'uncertain';
    const unsettledMutations = await mutations.countOpen();
    const signIn = signIns.latest(acts ? signedInAt : null);
    const told = { state, explanation, service, user, account, subject, scopes, withheld, expiresAt };
    const next = nextOf(status, acts, unsettledMutations, signIn);
    return { structured: { ...told, renewable, signIn, unsettledMutations, next } };
  },
});

function nextOf(
  { state }: ConnectionStatus,
  acts: boolean,
  unsettled: number,
  signIn: SignInStanding | null,
): Next | undefined {
  if (signIn?.state === 'waiting')
    return {
      why: 'The person opens the url of signIn in a browser, and signs in. Then call account_status again.',
    };
  if (acts && unsettled > 0) {
    const why = 'Some changes are not settled. This lists them.';
    return { tool: 'list_mutations', arguments: { state: 'open' }, why };
  }
  if (signIn?.state === 'failed') return signIn.next;
  if (unsettled > 0) {
    const why = 'Some changes are not settled. Sign in to look them up; list_mutations then lists them.';
    return { tool: 'connect_account', arguments: {}, why };
  }
  return state === 'reconnect_required' ? signInAgain : undefined;
}
