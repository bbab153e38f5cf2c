import type { ToolFile } from '../support/tool-file.ts';

export default {
  wishes: {
    spoken: [
      { said: 'Am I logged in?' },
      { said: 'What permissions have I granted?' },
      { said: 'Is my connection still valid, when does it expire?' },
    ],
    asked: [{ said: 'Which user am I?', query: 'account status current user' }],
    heldApart: [
      { said: 'Have you got access to my account?', query: 'account status' },
      { said: 'When does my access end?', query: 'account permissions expire' },
    ],
  },
  written: [{ said: {} }],
  needsAccount: false,
  call: () => ({}),
} satisfies ToolFile;
