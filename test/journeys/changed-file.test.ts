import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { at, owner } from '../support/person.ts';
import { cardName, folderOf, setOfShow, someShow, watchFrom } from '../support/subjects.ts';

it('a file that has changed since its plan stops the Set before anything is sent', async () => {
  const me = await owner();
  const { showId, episodes } = await someShow(me);
  const names = episodes.slice(0, 2).map(cardName);
  const folder = await folderOf(me, names);
  const plan = await me.call('plan_set', { folder, entryTargetKind: 'show', entryTargetId: showId });
  const [one = '', two = ''] = names.map((name) => path.join(folder, name));
  await writeFile(one, await readFile(two));
  const seen = await watchFrom(me);
  const args = await setOfShow(me, showId, { planId: at(plan, 'planId') });
  expect((await me.call('create_media_set', args)).isError).toBe(true);
  expect(await seen.posts()).toEqual([]);
});
