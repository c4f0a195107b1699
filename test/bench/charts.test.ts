/** The stored charts of the benchmark are those of the stored figures. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { addFigures, drawFigures, type Figures } from '../../bench/charts/figures.ts';
import type { ResultRow } from '../../bench/results.ts';

const folder = join(import.meta.dirname, '..', '..', 'docs', 'bench');

function assertWhole(svg: string): void {
  const open: string[] = [];
  for (const [, end, name = '', self] of svg.matchAll(/<(\/?)(\w+)(?:\s[^<>]*?)?(\/?)>/g)) {
    if (end === '/') assert.equal(open.pop(), name);
    else if (self !== '/') open.push(name);
  }
  assert.deepEqual(open, []);
  assert.doesNotMatch(svg, /NaN|Infinity|undefined/);
}

describe('the figures', () => {
  const row = (drawn: ResultRow['drawn']): ResultRow => ({
    scenario: 'load',
    name: 'x',
    figure: '',
    range: '',
    goal: '',
    met: undefined,
    good: 1,
    errors: {},
    ...(drawn !== undefined && { drawn }),
  });

  it('replaces stored figures by those of a run, and leaves charts that it did not measure', () => {
    const stored: Figures = {
      'latency-against-load': { note: 'old', series: [{ series: 'p50', points: [[1, 1]] }] },
      'rate-under-pressure': { note: 'old', series: [{ series: 'calm', points: [[0, 9]] }] },
    };
    const drawn = [{ chart: 'latency-against-load', series: 'p50', points: [[2, 2]] }] as const;
    const figures = addFigures(stored, [row(undefined), row(drawn)], 'new');
    assert.deepEqual(figures, {
      ...stored,
      'latency-against-load': { note: 'new', series: [{ series: 'p50', points: [[2, 2]] }] },
    });
    assert.deepEqual(
      drawFigures(figures).map(([name]) => name),
      ['latency-against-load', 'rate-under-pressure'],
    );
  });

  it('draws the stored figures', () => {
    const figures = JSON.parse(readFileSync(join(folder, 'figures.json'), 'utf8')) as Figures;
    const drawn = drawFigures(figures);
    assert.ok(drawn.length > 0);
    for (const [name, svg] of drawn) {
      assertWhole(svg);
      assert.equal(readFileSync(join(folder, `${name}.svg`), 'utf8'), svg, `${name} is old`);
    }
    const files = readdirSync(folder).filter((name) => name.endsWith('.svg'));
    assert.equal(files.length, drawn.length);
  });
});
