import { readFileSync } from 'node:fs';

const text = readFileSync(new URL('../../docs/interface.md', import.meta.url), 'utf8');

/** The records of public reads, as `docs/interface.md` has them: the path, and the lists of `assets` that it names. */
export const documentedRecords = [...text.matchAll(/^\| `(\/[\w-]+\/\{id\})` \| (.*) \|$/gm)].map(
  ([, path = '', answers = '']) => {
    const [, lists = ''] = /`assets` \(([\w, ]+)\)/.exec(answers) ?? [];
    return { path, lists: lists.split(', ').filter((list) => list !== '') };
  },
);
