/** Draws the results of a run into `docs/bench`, with the figures next to the charts. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ResultRow } from '../results.ts';
import { addFigures, drawFigures, type Figures } from './figures.ts';

const folder = join(import.meta.dirname, '..', '..', 'docs', 'bench');
const figuresPath = join(folder, 'figures.json');

export async function writeCharts(
  facts: Readonly<Record<string, string>>,
  rows: readonly ResultRow[],
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const stored = JSON.parse(await readFile(figuresPath, 'utf8').catch(() => '{}')) as Figures;
  const figures = addFigures(stored, rows, noteOf(facts, rows));
  await writeFile(figuresPath, `${JSON.stringify(figures, null, 2)}\n`);
  for (const [name, svg] of drawFigures(figures)) await writeFile(join(folder, `${name}.svg`), svg);
  return folder;
}

/**
 * The machine, the time, and its use by other programs, because figures mean nothing without them.
 */
function noteOf(facts: Readonly<Record<string, string>>, rows: readonly ResultRow[]): string {
  const scenarios = new Set(rows.map(({ scenario }) => scenario));
  const others = Object.entries(facts)
    .filter(([name]) => [...scenarios].some((scenario) => name.endsWith(`, ${scenario}`)))
    .map(([, share]) => Number.parseInt(share, 10));
  const shared = others.length === 0 ? '' : `; others used up to ${Math.max(...others)} % of the processors`;
  const day = new Date().toISOString().slice(0, 10);
  return `${facts.processors}, PostgreSQL ${facts.postgresql}, all on one machine, ${day}${shared}.`;
}
