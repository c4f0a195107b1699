/**
 * The charts of the benchmark show their figures, and the stored charts match the stored figures.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { drawBars } from '../../bench/charts/draw-bars.ts';
import { drawLines } from '../../bench/charts/draw-lines.ts';
import { addFigures, drawFigures, type Figures } from '../../bench/charts/figures.ts';
import { frame, inner, marksUpTo } from '../../bench/charts/svg.ts';
import type { ResultRow } from '../../bench/results.ts';

const folder = join(import.meta.dirname, '..', '..', 'docs', 'bench');

/** The texts that a reader sees, in order. */
function wordsOf(svg: string): string[] {
  return [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text = '']) => text);
}

function assertWhole(svg: string): void {
  const open: string[] = [];
  for (const [, end, name = '', self] of svg.matchAll(/<(\/?)(\w+)(?:\s[^<>]*?)?(\/?)>/g)) {
    if (end === '/') assert.equal(open.pop(), name);
    else if (self !== '/') open.push(name);
  }
  assert.deepEqual(open, []);
  assert.doesNotMatch(svg, /NaN|Infinity|undefined/);
}

const lines = drawLines({
  title: 'Latency & load',
  note: 'measured <here>',
  across: 'a second',
  up: 'ms',
  series: [
    {
      series: 'p99',
      points: [
        [2_000, 40],
        [0, 10],
        [1_000, 20],
      ],
    },
    {
      series: 'p50',
      points: [
        [0, 5],
        [2_000, 8],
      ],
    },
  ],
});

describe('a chart of lines', () => {
  it('has its title, the names of its axes, its marks, its lines and their last values', () => {
    assertWhole(lines);
    assert.deepEqual(wordsOf(lines), [
      'Latency &amp; load',
      ...['0', '10', '20', '30', '40'],
      ...['0', '500', '1,000', '1,500', '2,000'],
      ...['ms', 'a second', 'p99: 40', 'p50: 8'],
      'measured &lt;here>',
    ]);
  });

  it('puts each point where its value is, in the order of the axis', () => {
    const [left, right] = [frame.left, frame.left + inner.width];
    const [top, bottom] = [frame.top, frame.top + inner.height];
    const middle = `${(left + right) / 2},${(top + bottom) / 2}`;
    assert.ok(lines.includes(`points="${left},${bottom - inner.height / 4} ${middle} ${right},${top}"`));
    assert.equal(lines.match(/<circle /g)?.length, 5);
  });

  it('keeps the labels of lines that end together apart', () => {
    const close = drawLines({
      title: '',
      note: '',
      across: '',
      up: '',
      series: [
        { series: 'p99', points: [[10, 20]] },
        { series: 'p50', points: [[10, 20.1]] },
      ],
    });
    const heights = [...close.matchAll(/<text x="[\d.]+" y="([\d.]+)" class="s\d"/g)].map(([, y]) =>
      Number(y),
    );
    assert.equal(heights.length, 2);
    assert.ok(Math.abs((heights[0] ?? 0) - (heights[1] ?? 0)) >= 14);
  });

  it('reads well on light and on dark', () => {
    assert.match(lines, /prefers-color-scheme: dark/);
  });
});

describe('a chart of bars', () => {
  const bars = drawBars({
    title: 'Rate',
    note: '',
    across: 'a second',
    bars: [
      { name: 'calm', value: 8_000 },
      { name: 'beside lists', value: 6_000 },
    ],
  });

  it('names each bar, with its value and its share of the first', () => {
    assertWhole(bars);
    const words = wordsOf(bars);
    assert.deepEqual(words.slice(-5), ['calm', '8,000', 'beside lists', '6,000 (0.75×)', '']);
    assert.ok(words.includes('a second'));
  });

  it('draws each bar as long as its value', () => {
    const widths = [...bars.matchAll(/<rect class="s\d" [^>]*?width="([\d.]+)"/g)].map(([, width]) =>
      Number(width),
    );
    assert.equal(widths.length, 2);
    assert.ok(Math.abs((widths[1] ?? 0) / (widths[0] ?? 1) - 0.75) < 0.001);
  });
});

describe('the marks of an axis', () => {
  it('uses round marks that begin at zero and reach the largest value', () => {
    assert.deepEqual(marksUpTo(40), [0, 10, 20, 30, 40]);
    assert.deepEqual(marksUpTo(8_583), [0, 2_000, 4_000, 6_000, 8_000, 10_000]);
    assert.deepEqual(marksUpTo(0.9), [0, 0.2, 0.4, 0.6, 0.8, 1]);
    assert.deepEqual(marksUpTo(0), [0, 1]);
  });
});

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
