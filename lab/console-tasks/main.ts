/**
 * `npm run console-tasks`: performs the tasks of a day in the console and portal, with the pointer
 * and with the keyboard only, and counts clicks, keys and fields. See README.md.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { missing, settle } from '../../test/browser/browser.ts';
import { type Device, type Effort, makeHand, sum } from './hand.ts';
import type { Task } from './play.ts';
import { openStage, type Stage } from './stage.ts';
import { type Figures, formatTable, missedGoals, type Played, replaceTable, rowsOf } from './table.ts';
import { tasks } from './tasks.ts';

const devices: readonly Device[] = ['pointer', 'keyboard'];

const root = resolve(import.meta.dirname, '..', '..');
const readme = join(import.meta.dirname, 'README.md');
const figuresFile = join(import.meta.dirname, 'figures.json');

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    device: { type: 'string', default: 'pointer,keyboard' },
    before: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});

const lacking = missing();
if (lacking !== false) throw new Error(lacking);
const parts = values.only.toLowerCase().split(',');
const chosen = tasks.filter(({ name }) => parts.some((part) => name.toLowerCase().includes(part.trim())));
const figures = JSON.parse(await readFile(figuresFile, 'utf8')) as Figures;
const folder = await mkdtemp(join(tmpdir(), 'oja-console-tasks-'));
try {
  if (values.before !== undefined) await playAll('before', resolve(values.before));
  else for (const device of devices.filter((one) => values.device.includes(one))) await playAll(device, root);
} finally {
  await rm(folder, { recursive: true, force: true });
}
const rows = rowsOf(tasks, figures);
process.stdout.write(`\n${formatTable(rows)}\n`);
if (values.write) await writeFile(readme, replaceTable(await readFile(readme, 'utf8'), rows));
for (const goal of missedGoals(rows)) {
  process.stdout.write(`missed: ${goal}\n`);
  process.exitCode = 1;
}

/** Performs the chosen tasks and replaces their figures. */
async function playAll(column: keyof Figures, checkout: string): Promise<void> {
  const version = column === 'before' ? '0.2' : 'this';
  const device = column === 'before' ? 'pointer' : column;
  await using stage = await openStage(version, checkout, folder);
  for (const task of chosen) {
    if (version === '0.2' && task.before === 'none') continue;
    const page = pageOf(stage, task);
    const effort = await playOne(stage, task, device).catch(async (error: unknown) => {
      const said = await page.getByRole('alert').allInnerTexts();
      process.stdout.write(`${task.name}: ${String(error)}\n${said.join('\n')}\n`);
      return 'failed' as const;
    });
    const text = effort === 'failed' ? effort : `${effort.clicks} clicks, ${effort.keys} keys`;
    process.stdout.write(`${column}: ${task.name}: ${text}\n`);
    figures[column] = { ...figures[column], [task.name]: effort };
    if (values.write) await keep(column, task.name, effort);
  }
}

/** Another run may have written other figures meanwhile. */
async function keep(column: keyof Figures, name: string, effort: Played): Promise<void> {
  const kept = JSON.parse(await readFile(figuresFile, 'utf8')) as Figures;
  kept[column] = { ...kept[column], [name]: effort };
  await writeFile(figuresFile, `${JSON.stringify(kept, null, 2)}\n`);
}

function pageOf({ pages }: Stage, { who }: Task) {
  return who === 'operator' ? pages.admin : pages.owner;
}

async function playOne(stage: Stage, task: Task, device: Device): Promise<Effort> {
  if (task.isUnanswered !== true) stage.console.wakeProvider();
  await task.prepare?.(stage);
  // The password was entered a moment ago.
  await stage.console.gateway.database.query(
    `update user_sessions set stepped_up_until = now() + interval '5 minutes'`,
  );
  const page = pageOf(stage, task);
  await page.goto(task.who === 'operator' ? '/overview' : '/balance');
  await settle(page);
  const hand = makeHand(page, device);
  const way = stage.version === '0.2' && typeof task.before === 'function' ? task.before : task.play;
  const others = (await way(stage, hand)) ?? [];
  await task.happened(stage, hand);
  return sum([hand, ...others].map((one) => one.effort()));
}
