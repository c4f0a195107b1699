/**
 * `npm run proof`: runs every long test, measurement and replay, one after the other. Prints a
 * table with the duration and findings of each, and writes it to docs/proof.md. Exits with 1 when
 * an item failed. A run that is stopped does not change docs/proof.md.
 */
import { execFile } from 'node:child_process';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Item, items } from './items.ts';
import { chooseItems, parseOptions, usage } from './options.ts';
import { commandOf, root, runItem } from './run-item.ts';
import { formatTable, type Row, type Run, replaceTable } from './table.ts';

const document = join(root, 'docs', 'proof.md');

const { chosen, list } = readCommandLine();
if (list) printList(chosen);
else process.exitCode = await runAll(chosen);

function readCommandLine(): { readonly chosen: readonly Item[]; readonly list: boolean } {
  try {
    const options = parseOptions(process.argv.slice(2));
    return { chosen: chooseItems(items, options), list: options.list };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exit(2);
  }
}

function printList(listed: readonly Item[]): void {
  for (const item of listed) {
    const missing = item.missing?.() ?? [];
    console.log(`${item.name}: ${item.proves}`);
    console.log(`  ${commandOf(item)}`);
    console.log(`  about ${item.minutes} min`);
    if (missing.length > 0) console.log(`  skipped here, not available: ${missing.join(', ')}`);
  }
}

async function runAll(all: readonly Item[]): Promise<number> {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  const run: Run = { day: new Date().toISOString().slice(0, 10), version: await versionOf() };
  const rows: Row[] = [];
  for (const item of all) {
    console.log(`\n== ${item.name}: ${item.proves}\n   ${commandOf(item)}`);
    const row = await runItem(item, stopping.signal);
    if (stopping.signal.aborted) {
      console.error('stopped: docs/proof.md was not changed');
      return 1;
    }
    rows.push(row);
    console.log(`== ${item.name}: ${row.result}`);
  }
  console.log(`\n${formatTable(rows, run)}`);
  await writeTable(rows, run);
  return rows.some(({ result }) => result === 'failed') ? 1 : 0;
}

/** The file is replaced in one step. */
async function writeTable(rows: readonly Row[], run: Run): Promise<void> {
  const names = items.map(({ name }) => name);
  const text = replaceTable(await readFile(document, 'utf8'), rows, run, names);
  const draft = `${document}.${process.pid}.tmp`;
  await writeFile(draft, text);
  await rename(draft, document);
}

/** The commit, with a mark where code differs from it. Runs write documents. */
async function versionOf(): Promise<string> {
  try {
    const git = async (...args: readonly string[]): Promise<string> =>
      (await promisify(execFile)('git', args, { cwd: root })).stdout.trim();
    const commit = await git('rev-parse', '--short', 'HEAD');
    const changed = await git('status', '--porcelain', '--', '.', ':!docs', ':!*.md');
    return changed === '' ? commit : `${commit} with changes`;
  } catch {
    return 'unknown';
  }
}
