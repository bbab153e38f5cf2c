import type { ToolFile } from '../support/tool-file.ts';

export default {
  wishes: {
    spoken: [{ said: 'Please log me out' }, { said: 'Disconnect this computer from the account' }],
    asked: [{ said: 'Forget my login on this machine', query: 'disconnect account log out' }],
    heldApart: [
      { said: 'Sign me out everywhere', query: 'sign out' },
      { said: 'Revoke the access', query: 'revoke account connection' },
    ],
  },
  written: [{ said: {} }],
  unguarded: 'ends what the person can end anyway, and is harmless when repeated',
  needsAccount: false,
  call: () => ({}),
} satisfies ToolFile;
