/**
 * The restore drill, with the commands of docs/operators/backup.md: PostgreSQL is backed up by
 * `pg_basebackup` and an archive of its log while merchants buy and keep their own books. It is
 * restored elsewhere to a moment. Merchants get the same answers about everything before that
 * moment, and the books are right.
 */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, copyFile, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { giveToServer, missingPrograms, postgresPrograms } from '../../lab/failover/programs.ts';
import { chooseServerUser } from '../../packages/embedded-postgres/src/server-user.ts';
import { runOja } from '../cli/harness.ts';
import { cleanUpAfter } from '../support/clean-up-after.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { acknowledgedBefore, fetchPlans, type Purchase, startLoad } from '../support/load.ts';
import { freePort } from '../support/processes.ts';
import { until } from '../support/until.ts';

const page = await readFile(join(import.meta.dirname, '..', '..', 'docs', 'operators', 'backup.md'), 'utf8');
/** The maximum difference between the time of a commit and its order in the log. */
const MARGIN_MS = 1_000;
const run = promisify(execFile);

/** The block of the page that has this text. */
function block(text: string): string {
  const found = [...page.matchAll(/^```\w+\n([\s\S]*?)^```/gm)].map(([, code = '']) => code);
  const [code, ...more] = found.filter((one) => one.includes(text));
  assert.ok(code !== undefined && more.length === 0, `one block of the page has ${text}`);
  return code;
}

/** The settings that the page names for an archive in this folder. */
function archiving(backups: string): string {
  const command = /`('\/backups\/archive\.sh %p %f')`/.exec(page)?.[1];
  assert.ok(command !== undefined, 'the page has an archive_command');
  const others = block('archive_timeout')
    .split('\n')
    .filter((line) => !line.startsWith('archive_command'));
  return [...others, `archive_command = ${command.replace('/backups', backups)}`, ''].join('\n');
}

type Site = {
  readonly folder: string;
  readonly port: number;
  /** Runs a program or a script as the user of the server. */
  run(program: string, ...args: readonly string[]): Promise<string>;
  query(sql: string): Promise<string>;
};

/** A separate machine: `folder` with the cluster, removed with its server at the end. */
async function openSite(): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), 'oja-drill-'));
  cleanUpAfter(folder);
  await chmod(folder, 0o755);
  await mkdir(join(folder, 'postgres'), { mode: 0o700 });
  await giveToServer(join(folder, 'postgres'));
  const port = await freePort();
  const user = await chooseServerUser('/nowhere');
  const env = {
    PATH: [postgresPrograms, process.env.PATH].join(delimiter),
    LANG: 'C.UTF-8',
    PGHOST: '127.0.0.1',
    PGPORT: String(port),
    PGUSER: 'oja',
  };
  const site: Site = {
    folder,
    port,
    run: async (program, ...args) => (await run(program, args, { ...user, cwd: '/', env })).stdout.trim(),
    query: (sql) => site.run('psql', '-d', 'postgres', '-Atc', sql),
  };
  return site;
}

/** Starts the server of a site. Returns a function that ends it at once, like a lost machine. */
async function startServer(
  { folder, port }: Site,
  stack: AsyncDisposableStack,
): Promise<() => Promise<void>> {
  const args = ['-D', join(folder, 'postgres', 'cluster'), '-p', String(port), '-k', ''];
  const user = await chooseServerUser('/nowhere');
  const server = spawn(join(postgresPrograms, 'postgres'), args, {
    ...user,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await once(server, 'spawn');
  const exited = once(server, 'exit');
  const end = async (): Promise<void> => {
    server.kill('SIGQUIT');
    await exited;
  };
  stack.defer(end);
  return end;
}

test('the documented restore keeps everything that merchants were told before its moment', {
  skip: missingPrograms([]).length > 0 && 'there is no PostgreSQL 15 here',
}, async (t) => {
  await using stack = new AsyncDisposableStack();
  const [one, two] = [await openSite(), await openSite()];
  const backups = join(one.folder, 'backups');
  await mkdir(join(backups, 'wal'), { recursive: true });
  for (const path of [backups, join(backups, 'wal')]) await giveToServer(path);
  const documented = (text: string): string => block(text).replaceAll('/backups', backups);
  await writeFile(join(backups, 'archive.sh'), documented('# archive.sh'), { mode: 0o755 });
  const cluster = join(one.folder, 'postgres', 'cluster');
  await one.run('initdb', '-D', cluster, '-U', 'oja', '-E', 'UTF8', '--auth', 'trust');
  await appendFile(join(cluster, 'postgresql.conf'), archiving(backups));
  const lose = await startServer(one, stack);
  await until('the server answers', () => answers(one));
  await one.run('createdb', 'oja');

  const gateway = stack.use(await startGateway({ databaseUrl: urlOf(one) }));
  const { live } = gateway.credentials;
  const load = stack.use(
    startLoad({
      ...live,
      url: () => gateway.url,
      plans: await fetchPlans(gateway.url, live.key, live.secret),
      clients: 8,
      seed: 16,
      pauseMs: 20,
      billShare: 0.3,
    }),
  );
  const more = async (count: number): Promise<void> => {
    const before = load.purchases.length;
    await until('merchants buy', () => load.purchases.length > before + count);
  };
  await more(100);
  for (const line of documented('pg_verifybackup').trim().split('\n')) await one.run('sh', '-c', line);
  const oja = async (site: Site, dataDir: string, ...args: string[]) => {
    const ran = await runOja({ OJA_DATA_DIR: dataDir, DATABASE_URL: urlOf(site) }, [...args, '--json']);
    assert.equal(ran.code, 0, ran.err);
    return JSON.parse(ran.out).data;
  };
  const record = ['backup', 'record', 'drill', '--target', 'backups'];
  assert.equal((await oja(one, gateway.dataDir, ...record)).changed, true);
  await more(100);
  const moment = new Date();
  const last = load.purchases.length;
  await until('a second is over', () => Date.now() > moment.getTime() + MARGIN_MS);
  await more(100);
  const segment = await one.query('select pg_walfile_name(pg_switch_wal())');
  await until(
    'the log is archived',
    async () => (await one.query('select last_archived_wal from pg_stat_archiver')) >= segment,
  );
  await load.stop();
  // The machine is lost, except for the backups and the files that no backup contains.
  gateway.kill('SIGKILL');
  await gateway.exited;
  await lose();

  const day = /-D (\S+)/.exec(documented('pg_verifybackup'))?.[1] ?? '';
  const restored = join(two.folder, 'postgres', 'cluster');
  await two.run('cp', '-a', day, restored);
  const recovery = documented('recovery_target_time');
  await appendFile(
    join(restored, 'postgresql.conf'),
    recovery.replace(/(recovery_target_time = ')[^']+/, `$1${moment.toISOString().replace('Z', '+00')}`),
  );
  await two.run('touch', join(restored, 'recovery.signal'));
  await startServer(two, stack);
  await until('it has recovered', async () => {
    return (await answers(two)) && (await two.query('select pg_is_in_recovery()')) === 'f';
  });
  const dataDir = join(two.folder, 'data');
  await mkdir(dataDir);
  for (const file of ['encryption.key', 'credentials.json']) {
    await copyFile(join(gateway.dataDir, file), join(dataDir, file));
  }
  await oja(two, dataDir, 'restore', 'lock', '--reason', 'drill', '--from', moment.toISOString(), '--yes');
  const { simulatorUrl } = gateway;
  const place = stack.use(await startGateway({ databaseUrl: urlOf(two), dataDir, simulatorUrl }));

  const told = acknowledgedBefore(load.purchases, new Date(moment.getTime() - MARGIN_MS));
  assert.ok(told.length > 100, `${told.length} were acknowledged before the moment`);
  // Keys wait for a confirmation after a restore.
  assert.equal((await statusOf(place, told[0]?.reference ?? '')).status, 403);
  await oja(two, dataDir, 'credential', 'confirm', '--all', '--yes');
  await until('the key is accepted', async () => {
    return (await statusOf(place, told[0]?.reference ?? '')).status === 200;
  });
  const wrong: string[] = [];
  for (const purchase of told) wrong.push(...(await broken(place, purchase)));
  assert.deepEqual(wrong, []);
  const kinds = Object.groupBy(told, ({ answers }) => outcomeOf(answers.at(-1)) ?? '');
  const counts = Object.entries(kinds).map(([outcome, all]) => `${all?.length} ${outcome}`);
  t.diagnostic(`${told.length} of ${load.purchases.length} acknowledged before: ${counts.join(', ')}`);
  assert.ok((kinds.success?.length ?? 0) > 0);
  await oja(two, dataDir, 'audit');

  // Purchases after that time are missing. They are neither denied nor sold again.
  const lost = load.purchases.slice(last).at(-1)?.reference ?? '';
  assert.equal((await statusOf(place, lost)).status, 503);
  const body = { merchant: 'DEMO', msisdn: '08031234567', network: 'mtn', amount: '100' };
  const send = (request_ref: string) =>
    place.call('POST', '/v1/transactions/airtime/sync', { as: 'live', body: { ...body, request_ref } });
  assert.equal((await send(lost)).status, 503);
  // Purchases before it are found by their reference.
  assert.equal((await send(told[0]?.reference ?? '')).status, 422);
});

function urlOf({ port }: Site): string {
  return `postgresql://oja@127.0.0.1:${port}/oja`;
}

async function answers(site: Site): Promise<boolean> {
  return await site.query('select 1').then(
    () => true,
    () => false,
  );
}

/** How the answers to a client are contradicted. */
async function broken(place: Gateway, { reference, answers }: Purchase): Promise<string[]> {
  const { status, body } = await statusOf(place, reference);
  if (status !== 200) return [`${reference} is answered ${status}`];
  return answers.flatMap((answer) => {
    const outcome = outcomeOf(answer);
    const isOther = outcome !== 'pending' && outcome !== body.state;
    const token = 'token' in answer ? answer.token : undefined;
    return [
      ...(isOther ? [`${reference} was ${outcome}, and is ${body.state}`] : []),
      ...(token === undefined || token === body.payload.token ? [] : [`${reference} has another token`]),
    ];
  });
}

function outcomeOf(answer: Purchase['answers'][number] | undefined): string | undefined {
  return answer !== undefined && 'outcome' in answer ? answer.outcome : undefined;
}

function statusOf(place: Gateway, reference: string): ReturnType<Gateway['call']> {
  return place.call('GET', `/v1/transactions/status?request_ref=${reference}`, { as: 'live' });
}
