import { expect, it } from 'vitest';
import {
  fileInProgress,
  progressOfFile,
  sharedInProgress,
} from '../../src/mutations/operations/operation.ts';
import { withNote } from '../../src/mutations/run/note.ts';

it.each([401, 429] as const)(
  'an upload that was answered %i is still known by where its file lies',
  (status) => {
    const shared = { machine: 'studio', contentLength: 4 };
    const noted = withNote(progressOfFile('/art/poster.png', shared), { answered: status });
    expect(noted).toMatchObject({ answered: status });
    expect(fileInProgress(noted)).toBe('/art/poster.png');
    expect(sharedInProgress(noted)).toEqual(shared);
  },
);
