import { z } from 'zod';
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
  unsettledMutations: z.int().nullable(),
  next: z.unknown().optional(),
});

export const accountStatus = defineTool({
  name: 'account_status',
  title: 'Status of the account',
  toolset: 'account',
  description:
    'Tells whether an account is connected, which scopes were granted and withheld, until when, where its secrets lie, and how a sign-in that connect_account began stands, and how many changes are not settled yet. Never shows a token.',
  annotations: { ...readOnly, openWorldHint: false },
  input: z.strictObject({}),
  output,
  async run(_, context) {
    const { connections, signIns, mutations } = await context.account();
    const { scopes, withheld, expiresAt, renewable, secrets, ...status } = await connections.status();
    const { state, explanation, service, user, account, subject } = status;
    const unsettledMutations = state === 'connected' ? await mutations.countOpen() : null;
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
        signIn: signIns.latest(),
        unsettledMutations,
        ...(unsettledMutations === null || unsettledMutations === 0 ? {} : { next: lookAtThem }),
      },
    };
  },
});

const lookAtThem = {
  tool: 'list_mutations',
  arguments: { state: 'open' },
  why: 'The outcome of some changes is not known yet: this lists them.',
};

function secretsLie(location: { kind: 'keyring' } | { kind: 'file'; path: string } | null): string {
  if (location === null) return 'nothing is stored';
  return location.kind === 'keyring'
    ? 'sealed in the store, the key in the keyring of the system'
    : `sealed in the store, the key in the file ${location.path}, readable by this user only`;
}
