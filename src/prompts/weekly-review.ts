import { definePrompt, quotedForPrompt } from './prompt.ts';

export const weeklyReview = definePrompt({
  name: 'weekly_review',
  title: 'What has changed',
  description: 'What was added and replaced since I last asked, by whom, and what my Sets lack',
  toolsets: ['catalogue', 'me'],
  changes: false,
  arguments: {
    since: {
      description: 'a day such as 2026-11-16; left out: when I last asked',
      completed: { from: 'days' },
    },
    scope: {
      description: 'mine, watched, followed or all',
      completed: { from: 'words', words: ['mine', 'watched', 'followed', 'all'] },
    },
  },
  text({ since, scope }) {
    const when = since === null ? ' since I last asked' : ` since ${quotedForPrompt(since)}`;
    const from = since === null ? '' : ` since ${quotedForPrompt(since)} and`;
    return `Review what has changed in the catalogue${when}.

1. \`list_changes\` with${from} scope ${quotedForPrompt(scope ?? 'all')}; follow nextCursor. Before you say that something did not change, tell me which time its coverage spans.
2. Tell me what was replaced, by whom, one line each. Show me before and after with \`view_artwork\`.
3. \`list_changes\` with scope "mine" and the \`since\` of that answer: what changed of mine. If no account is connected, tell me that you can connect me, and go on with 6.
4. \`audit_sets\` with mine true: what my Sets lack, per season.
5. \`list_mutations\` with state "open": what of mine is not settled.
6. Ask me what I want to watch; \`watch\` adds and removes it.

Change nothing on the service in this review.`;
  },
});
