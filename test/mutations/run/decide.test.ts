import { describe, expect, test } from 'vitest';
import { doubts } from '../../../src/ledger/rows.ts';
import {
  type AdmissionStep,
  type Answered,
  decide,
  decideAdmission,
  type Known,
  type KnownAdmission,
  mostAdmissions,
  mostLooks,
  mostSent,
  type Step,
} from '../../../src/mutations/run/decide.ts';

const answers: readonly Answered[] = [
  null,
  'ended',
  'working',
  'unreadable',
  'turned away',
  'forbidden',
  'conflict',
  'refused',
  'lost',
  'unsent',
];
const identities = ['upload', 'revision', 'none'] as const;
const looks = [null, 'ended', 'working', 'as before', 'moved', 'nothing', 'unreadable'] as const;

/** Everything that can be known of a single change. A look is there if and only if one was made. */
function* everything(): Generator<Known> {
  for (const identity of identities) {
    for (const doubt of doubts) {
      for (const answer of answers) {
        for (let sent = 0; sent <= mostSent; sent += 1) {
          for (const look of looks) {
            for (let made = look === null ? 0 : 1; made <= (look === null ? 0 : mostLooks); made += 1) {
              yield { identity, doubt, answer, sent, look, looks: made };
            }
          }
        }
      }
    }
  }
}

const all = [...everything()];

/** What the steps of each kind were decided from. */
function decidedTo<Kind extends Step['do']>(kind: Kind) {
  return all.flatMap((known) => {
    const step = decide(known);
    return step.do === kind ? [{ known, step: step as Extract<Step, { do: Kind }> }] : [];
  });
}

describe('all that can be known of a single change', () => {
  test('is decided, and each way of it ends', () => {
    expect(all).toHaveLength(identities.length * doubts.length * answers.length * (mostSent + 1) * 19);
    for (const { known } of decidedTo('look')) expect(known.looks).toBeLessThan(mostLooks);
    for (const { known } of decidedTo('send')) expect(known.sent).toBeLessThan(mostSent);
  });

  test('"nothing was changed" is said only where it is proven', () => {
    const ended = decidedTo('end');
    expect(ended.filter(({ known }) => known.doubt === 'lost')).toEqual([]);
    for (const { known, step } of ended) {
      if (known.doubt === 'turned away') {
        expect(step).toEqual({ do: 'end', as: 'refused', clear: true });
        expect(known).toMatchObject({ identity: 'upload', look: 'nothing' });
        expect(known.answer).toBe('refused');
      } else expect(step.clear).toBe(false);
      if (step.as === 'not_sent') expect(known.answer).toBe('unsent');
      else expect(['forbidden', 'refused', 'conflict']).toContain(known.answer);
    }
  });

  test('a conflict is a refusal only where a read shows another revision', () => {
    for (const { known } of decidedTo('end').filter(({ known }) => known.answer === 'conflict')) {
      expect(known).toMatchObject({ identity: 'revision', look: 'moved', doubt: 'none' });
    }
  });

  test('what may have arrived is sent again only where its identity or its revision tells', () => {
    for (const { known } of decidedTo('send')) {
      expect([null, 'turned away']).toContain(known.answer);
      if (known.doubt === 'none') continue;
      expect(known.identity).not.toBe('none');
      if (known.identity === 'revision')
        expect(known).toMatchObject({ doubt: 'turned away', look: 'as before' });
      if (known.doubt === 'lost') {
        expect(known).toMatchObject({ identity: 'upload', answer: null, look: 'nothing' });
        expect(known.looks).toBeGreaterThan(1);
      }
    }
  });

  test('what the service shows to have, and what it said yes to, is believed', () => {
    for (const { known, step } of decidedTo('believe')) {
      const shown = step.what === 'look' ? known.look : known.answer;
      expect(['ended', 'working']).toContain(shown);
    }
    for (const known of all) {
      if (known.look === 'ended' || known.look === 'working') expect(decide(known).do).toBe('believe');
    }
  });
});

function* everyAdmission(): Generator<KnownAdmission> {
  for (const doubt of doubts) {
    for (const answer of answers) {
      for (let sent = 0; sent <= mostAdmissions; sent += 1) {
        for (let conflicts = 0; conflicts <= sent; conflicts += 1) {
          for (const isStale of [false, true]) yield { doubt, answer, sent, conflicts, isStale };
        }
      }
    }
  }
}

describe('all that can be known of an admission', () => {
  test('is decided: it is sent so often at most, accepted on its receipt alone, and ended without a doubt alone', () => {
    const steps = [...everyAdmission()].map((known): readonly [KnownAdmission, AdmissionStep] => [
      known,
      decideAdmission(known),
    ]);
    expect(steps.length).toBeGreaterThan(800);
    for (const [known, step] of steps) {
      switch (step.do) {
        case 'send':
          expect(known.sent).toBeLessThan(mostAdmissions);
          expect(['ended', 'working', 'refused', 'forbidden']).not.toContain(known.answer);
          break;
        case 'accept':
          expect(['ended', 'working']).toContain(known.answer);
          break;
        case 'end':
          expect(known.doubt).not.toBe('lost');
          expect(step.clear).toBe(known.doubt !== 'none');
          if (step.as === 'not_sent') expect(known).toMatchObject({ doubt: 'none', answer: 'unsent' });
          if (known.answer === 'conflict') expect(known.isStale || known.conflicts > 1).toBe(true);
          if (known.answer === 'forbidden') expect(known.doubt).toBe('none');
          break;
        case 'leave':
          expect(known.doubt === 'none' && known.answer === null && known.sent < mostAdmissions).toBe(false);
      }
    }
  });
});
