import type { ToolFile } from '../support/tool-file.ts';

export default {
  wishes: {
    spoken: [{ said: 'sign in' }, { said: 'Log in with my account' }, { said: 'Connect my account' }],
    asked: [
      { said: 'I want to authorize this program', query: 'connect account sign in authorize' },
      {
        said: 'Log in again with more permissions',
        query: 'login account permissions scopes',
        also: ['account_status'],
      },
    ],
    heldApart: [
      { said: 'I would like to sign in now', query: 'sign in' },
      { said: 'Link this with my account', query: 'connect account' },
    ],
  },
  written: [{ said: {} }, { said: { scopes: ['assets:write'] } }],
  unguarded: 'a person agrees on a page of the service; nothing in the catalogue changes',
  needsAccount: false,
  call: () => ({}),
} satisfies ToolFile;
