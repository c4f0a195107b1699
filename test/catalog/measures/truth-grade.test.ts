/** The truth grade, from the counts of an account only. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { TruthCounts } from '../../../src/catalog/measures/measure.ts';
import { addTruth, truthGrade, truthGrades, truthOf } from '../../../src/catalog/measures/truth-grade.ts';

const honest: TruthCounts = {
  answers: 10_000,
  contradicted: 0,
  refusals: 500,
  delivered_refusals: 0,
  differing_days: 0,
  long_unknown: 0,
};

describe('a truth grade', () => {
  it('grades an account without negative counts A, and gives no grade with too few answers', () => {
    assert.equal(truthGrade(honest), 'A');
    assert.equal(truthGrade({ ...honest, answers: 19, refusals: 0 }), undefined);
    assert.equal(truthGrade({ ...honest, answers: 19, refusals: 1, delivered_refusals: 1 }), 'C');
  });

  it('uses the grade of the worst share', () => {
    const graded = [
      { contradicted: 10 },
      { contradicted: 50 },
      { contradicted: 200 },
      { contradicted: 500 },
      { contradicted: 501 },
      { contradicted: 10, delivered_refusals: 10 },
      { delivered_refusals: 26 },
      { differing_days: 1 },
      { differing_days: 8 },
      { long_unknown: 51 },
      { long_unknown: 1_001, contradicted: 1 },
    ].map((counts) => truthGrade({ ...honest, ...counts }));
    assert.deepEqual(graded, ['A', 'B', 'C', 'D', 'E', 'C', 'E', 'B', 'E', 'B', 'E']);
  });

  it('never improves the grade or the score by one more count against the account', () => {
    const counts = fc.record({
      answers: fc.nat(5_000),
      contradicted: fc.nat(500),
      refusals: fc.nat(500),
      delivered_refusals: fc.nat(100),
      differing_days: fc.nat(30),
      long_unknown: fc.nat(500),
    });
    const against = ['contradicted', 'delivered_refusals', 'differing_days', 'long_unknown'] as const;
    const rank = (one: TruthCounts): number => truthGrades.indexOf(truthGrade(one) ?? 'A');
    fc.assert(
      fc.property(counts, fc.constantFrom(...against), (one, name) => {
        const more = { ...one, [name]: one[name] + 1 };
        assert.ok(rank(more) >= rank(one));
        assert.ok(truthOf(more) <= truthOf(one));
      }),
    );
  });

  it('counts the days of a balance once for all products of an account', () => {
    const both = addTruth([
      { ...honest, differing_days: 2, contradicted: 1 },
      { ...honest, differing_days: 2, contradicted: 2 },
    ]);
    assert.deepEqual(both, {
      ...honest,
      answers: 20_000,
      refusals: 1_000,
      differing_days: 2,
      contradicted: 3,
    });
  });
});
