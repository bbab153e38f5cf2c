import { definePrompt } from '../mcp/prompt.ts';
import { named } from './wording.ts';

export const weeklyReview = definePrompt({
  name: 'weekly_review',
  title: 'What has changed',
  description: 'What was added and replaced since the last look, by whom, and what my Sets lack',
  toolsets: ['catalogue', 'me'],
  changes: false,
  arguments: {
    since: {
      description: 'a day such as 2026-11-16; left out: the last look',
      required: false,
      completed: { from: 'days' },
    },
    scope: {
      description: 'mine, watched, followed or all',
      required: false,
      completed: { from: 'words', words: ['mine', 'watched', 'followed', 'all'] },
    },
  },
  text: ({
    since,
    scope,
  }) => `Review what has changed in the catalogue${since === null ? ' since my last look' : ` since ${named(since)}`}.

1. \`list_changes\` with${since === null ? '' : ` since ${named(since)} and`} scope ${named(scope ?? 'mine')}; follow nextCursor. Say which time its coverage spans before you say that something did not change.
2. Tell me what was replaced, by whom, as one line each. Show me before and after with \`view_artwork\`, what is mine first.
3. \`audit_sets\` with mine true: what my Sets lack since new episodes came, per season.
4. \`list_mutations\` with state "open": what of mine is not settled.
5. Ask me what I want to keep an eye on; \`watch\` adds and removes it.
6. Once I have seen it all, \`list_changes\` again with seenUntil as its answer gave it in \`until\`.

Change nothing on the service in this review.`,
});
