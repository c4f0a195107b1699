/** Prints a run, and writes a full one to `bench/pressure-results.md`. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ownRoot } from '../gateway.ts';
import type { RowName } from './options.ts';

export type ResultRow = {
  readonly name: RowName;
  readonly what: string;
  readonly before: string;
  readonly after: string;
  readonly bar: string;
  readonly passed: boolean;
};

const resultsPath = join(ownRoot, 'bench', 'pressure-results.md');

const preface = `# Results of the pressure suite

Written by \`npm run pressure\`; docs/maintainers/pressure.md says what each row does. All processes of a row share one
machine.
`;

/** \`beforeName\`: the version of the figures in the column "before". */
export function formatReport(rows: readonly ResultRow[], beforeName: string): string {
  const lines = rows.map(({ name, what, before, after, bar, passed }) =>
    [name, what, before, after, bar, passed ? 'yes' : 'NO'].join(' | '),
  );
  const head = ['Row', 'What is done', beforeName, 'Now', 'Bar', 'Held'];
  return [head.join(' | '), head.map(() => '---').join(' | '), ...lines]
    .map((line) => `| ${line} |`)
    .join('\n');
}

export async function writeReport(facts: Readonly<Record<string, string>>, table: string): Promise<string> {
  const machine = Object.entries(facts).map(([name, value]) => `- ${name}: ${value}`);
  await writeFile(resultsPath, `${preface}\n${machine.join('\n')}\n\n${table}\n`);
  return resultsPath;
}
