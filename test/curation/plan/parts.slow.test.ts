import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { revisionOf } from '../../../src/catalogue/records/owned.ts';
import { editItemsOf, plannedFilesOf } from '../../../src/curation/plan/items.ts';
import { makePlan } from '../../../src/curation/plan/make-plan.ts';
import { countsOf } from '../../../src/curation/plan/questions.ts';
import { deadlineIn } from '../../../src/deadline.ts';
import type { MutationPorts } from '../../../src/mutations/ports.ts';
import { plantShowOf } from '../../mutations/batch/show.ts';
import { patient } from '../../mutations/batch/until-settled.ts';
import { type Studio, startStudio } from '../../mutations/studio.ts';
import { told } from '../../mutations/told.ts';
import { paint } from '../folders.ts';
import { type Planner, planIn, startPlanner } from './planner.ts';

let studio: Studio;
let planner: Planner;
beforeAll(async () => {
  [studio, planner] = await Promise.all([startStudio(), startPlanner()]);
});
afterAll(async () => {
  await planner.leave();
  await studio.close();
});

describe('an edit of more than 300 items', () => {
  it('is made part by part, each with the revision that the one before left', async () => {
    const episodes = 303;
    const { showId, setId } = plantShowOf(studio, episodes);
    let ports: MutationPorts | undefined;
    const artist = await studio.artist({
      ports: (own) => {
        ports = own;
        return own;
      },
    });
    if (ports === undefined) throw new Error('There are no ports.');
    const { owned, catalogue } = ports;
    const card = await paint({ colour: 1, width: 640, height: 360 });
    for (let at = 1; at <= episodes; at += 1) {
      await artist.file(card, `cards/S01E${String(at).padStart(3, '0')}.png`);
    }
    const folder = path.join(artist.home, 'pictures', 'cards');
    const store = planner.store();
    const plan = async () =>
      planIn(
        await makePlan(
          {
            catalogue,
            owned,
            roots: { configured: [folder], host: [] },
            store,
            maxBytes: async () => null,
            knownBytes: () => artist.mutations.knownBytes(),
            deadline: deadlineIn(120_000),
            progress: () => {},
          },
          {
            folder,
            entry: { kind: 'show', id: showId },
            slot: null,
            alsoCalled: [],
            setId,
            asked: { folder },
          },
        ),
      );
    const { parts, set } = await plan();
    expect(parts).toHaveLength(2);
    let expectedUpdatedAt = set?.updatedAt ?? null;
    for (const [at, planId] of parts.entries()) {
      const found = await store.find(planId);
      const again = { why: 'Plan anew.' };
      const planned = { files: plannedFilesOf(found), again, warnings: [] };
      const call = { planned, ...patient };
      const edit = {
        clientMutationId: randomUUID(),
        setId,
        setKind: 'media_set' as const,
        items: editItemsOf(found),
      };
      if (at > 0) {
        const early = { ...edit, clientMutationId: randomUUID(), expectedUpdatedAt: set?.updatedAt ?? null };
        expect(await told(artist.mutations.perform('edit_set', early, call))).toMatchObject({
          category: 'stale_revision',
        });
      }
      const { result } = await told(
        artist.mutations.perform('edit_set', { ...edit, expectedUpdatedAt }, call),
      );
      expect(result).toMatchObject({ outcome: 'succeeded', counts: { succeeded: at === 0 ? 300 : 3 } });
      expectedUpdatedAt = result?.updatedAt ?? null;
    }
    expect(revisionOf(await owned.readSet(setId))).toBe(expectedUpdatedAt);
    expect(countsOf(await plan())).toMatchObject({ unchanged: episodes, toSend: 0, missing: 0 });
  });
});
