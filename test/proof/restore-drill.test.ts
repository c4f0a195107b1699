/**
 * The restore drill: a backup is taken while merchants buy for money and write their own books, and
 * is restored in another place. What they were told before the backup's moment is told again there,
 * and the books are right.
 */
import assert from 'node:assert/strict';
import { chmod, copyFile, mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { newBackupKey } from '../../src/backup/backup-key.ts';
import { runOja } from '../cli/harness.ts';
import { cleanUpAfter } from '../support/clean-up-after.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { acknowledgedBefore, fetchPlans, type Purchase, startLoad } from '../support/load.ts';
import { until } from '../support/until.ts';

test('a backup under load is restored elsewhere, with all that was acknowledged before it', async (t) => {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'oja-drill-'));
  cleanUpAfter(folder);
  await chmod(folder, 0o755);
  const [backups, restored] = [join(folder, 'backups'), join(folder, 'restored')];
  const gateway = stack.use(await startGateway({ databaseUrl: 'embedded' }));
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
  await until('merchants buy', () => load.purchases.length > 100);

  const { identity } = await newBackupKey();
  const oja = async (dataDir: string, ...args: string[]) => {
    const ran = await runOja({ OJA_DATA_DIR: dataDir, OJA_BACKUP_KEY: identity }, args);
    assert.equal(ran.code, 0, ran.err);
    return JSON.parse(ran.out).data;
  };
  const taken = await oja(gateway.dataDir, 'backup', backups, '--no-verify', '--json');
  const after = load.purchases.length;
  await until('they go on to buy', () => load.purchases.length > after + 50);
  await load.stop();
  // The machine is lost, but for the files that no backup has.
  gateway.kill('SIGKILL');
  await gateway.exited;
  await mkdir(restored);
  for (const file of ['encryption.key', 'credentials.json']) {
    await copyFile(join(gateway.dataDir, file), join(restored, file));
  }
  await oja(restored, 'restore', backups, '--json');
  const { simulatorUrl } = gateway;
  const place = stack.use(await startGateway({ databaseUrl: 'embedded', dataDir: restored, simulatorUrl }));
  assert.notEqual(place.url, gateway.url);

  const told = acknowledgedBefore(load.purchases, new Date(taken.taken_at));
  assert.ok(told.length > 50, `${told.length} were acknowledged before the backup`);
  const wrong: string[] = [];
  for (const purchase of told) wrong.push(...(await broken(place, purchase)));
  assert.deepEqual(wrong, []);
  const kinds = Object.groupBy(told, ({ answers }) => outcomeOf(answers.at(-1)) ?? '');
  const counts = Object.entries(kinds).map(([outcome, all]) => `${all?.length} ${outcome}`);
  t.diagnostic(`${told.length} of ${load.purchases.length} acknowledged before: ${counts.join(', ')}`);
  assert.ok((kinds.success?.length ?? 0) > 0);
  await oja(restored, 'audit', '--json');

  // What came after the backup is not there, and is neither denied nor sold again.
  const lost = load.purchases.at(-1)?.reference ?? '';
  assert.equal((await statusOf(place, lost)).status, 503);
  const body = { merchant: 'DEMO', msisdn: '08031234567', network: 'mtn', amount: '100' };
  const send = (request_ref: string) =>
    place.call('POST', '/v1/transactions/airtime/sync', { as: 'live', body: { ...body, request_ref } });
  assert.equal((await send(lost)).status, 503);
  // What was sold before is known by its reference.
  assert.equal((await send(told[0]?.reference ?? '')).status, 422);
});

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
