/**
 * Every command in the documents for merchants, the README and the API reference runs against a
 * gateway, and its answer is compared with the shown one. Each page has a separate merchant. A page
 * states the reason for each block that is not run.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenApi } from '../../site/generate/document.ts';
import { makeSite } from '../../site/generate/make-site.ts';
import type { ReferencePage } from '../../site/generate/reference.ts';
import { faultsOf } from '../docs/judge-step.ts';
import { readSteps, type Step } from '../docs/read-steps.ts';
import { openReader, type Reader } from '../docs/reader.ts';
import { isRecording, recordAnswer } from '../docs/record-answers.ts';
import { prepare, stepOf, stepsBefore } from '../docs/reference-steps.ts';
import { notThere, runPhp, runTypescript } from '../docs/run-sample.ts';
import { runStep } from '../docs/run-step.ts';
import { openGatewayUnderTest } from '../e2e/gateway-under-test.ts';
import { readDocument } from '../support/api-document.ts';
import { awayFromMidnight } from '../support/away-from-midnight.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

// Statements are requested for today.
await awayFromMidnight();
const root = join(import.meta.dirname, '..', '..');
const merchants = readdirSync(join(root, 'docs', 'merchants'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/merchants/${name}`);
const pages = ['README.md', ...merchants].map((path) => ({
  path,
  ...readSteps(readFileSync(join(root, path), 'utf8')),
}));
const { reference } = makeSite(root, (await readDocument()) as unknown as OpenApi);

const hasShell = ['bash', 'curl'].every((program) => spawnSync(program, ['--version']).status === 0);
const skip = hasShell ? false : 'bash or curl is not there: no command of the documents is run';

async function assertSteps(reader: Reader, steps: readonly Step[]): Promise<void> {
  const faults: string[] = [];
  for (const step of steps) faults.push(...(await faultsOf(reader, step)));
  assert.ok(faults.length === 0, faults.join('\n'));
}

/**
 * Sends the same request with each installed client. A request that changes something has a new
 * reader each time, because the next one needs the objects that it deletes or ends.
 */
async function runSamples(
  first: Reader,
  open: () => Promise<Reader>,
  { route: { method, operation }, sample }: ReferencePage,
): Promise<void> {
  const { operationId } = operation;
  const ready = async (): Promise<Reader> => {
    if (method === 'get') return first;
    const reader = await open();
    await prepare(reader, operationId);
    await assertSteps(reader, stepsBefore(reference, operationId));
    return reader;
  };
  if (notThere.typescript === undefined) await runTypescript(await ready(), sample.typescript);
  if (notThere.php === undefined) await runPhp(await ready(), sample.php);
}

describe('the commands of documents', { skip, concurrency: isRecording ? 1 : 4 }, async () => {
  const gateway = await openGatewayUnderTest();
  const receiver = await startWebhookReceiver();
  after(() => receiver[Symbol.asyncDispose]());

  for (const { path, steps } of pages.filter((page) => page.steps.length > 0)) {
    it(`the commands of ${path} work as documented`, async () => {
      await assertSteps(await openReader(gateway, receiver), steps);
    });
  }

  for (const page of reference) {
    const { operationId } = page.route.operation;
    it(`the commands of the reference of ${operationId} work as documented`, async () => {
      const open = () => openReader(gateway, receiver);
      const reader = await open();
      await prepare(reader, operationId);
      const [earlier, step] = [stepsBefore(reference, operationId), stepOf(page)];
      if (!isRecording) {
        await assertSteps(reader, [...earlier, step]);
        return await runSamples(reader, open, page);
      }
      await assertSteps(reader, earlier);
      await sleep(earlier.length === 0 ? 0 : 5_000);
      const ran = await runStep(reader, step.command);
      assert.ok(ran.failed === undefined && ran.status < 400, JSON.stringify(ran));
      if (step.answer !== undefined) recordAnswer(reader, operationId, ran.out);
    });
  }

  it('runs all commands, or states why not', (t) => {
    const unknown = pages.flatMap((page) => page.unknown.map((line) => `${page.path}:${line}`));
    assert.deepEqual(unknown, []);
    const notRun = pages.flatMap((page) =>
      page.notRun.map(({ line, reason }) => `${page.path}:${line}: ${reason}`),
    );
    t.diagnostic(`${pages.flatMap((page) => page.steps).length} run, ${notRun.length} not run`);
    for (const line of notRun) t.diagnostic(line);
    for (const reason of Object.values(notThere)) if (reason !== undefined) t.diagnostic(reason);
  });
});
