/**
 * The requests of the API reference as steps: the steps required before each, its curl command, and
 * the answer that its page shows first.
 */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReferencePage } from '../../site/generate/reference.ts';
import { readSteps, type Step } from './read-steps.ts';
import type { Reader } from './reader.ts';
import { runStep } from './run-step.ts';

/** The operations whose requests come before those of an operation. */
const before: Readonly<Record<string, readonly string[]>> = {
  getTransactionStatus: ['airtimeSync'],
  listTransactions: ['airtimeSync'],
  getWalletStatement: ['airtimeSync'],
  listEvents: ['airtimeSync'],
  getGiftCardOrder: ['createGiftCardOrder'],
  getEsimOrder: ['createEsimOrder'],
  getEsimQrCode: ['createEsimOrder'],
  getFundingAccount: ['createFundingAccount'],
  listBatches: ['createBatch'],
  getBatch: ['createBatch'],
  changeBatch: ['createBatch'],
  listBatchRows: ['createBatch'],
  listEndpoints: ['createEndpoint'],
  changeEndpoint: ['createEndpoint'],
  deleteEndpoint: ['createEndpoint'],
  rotateEndpointSecret: ['createEndpoint'],
  testEndpoint: ['createEndpoint'],
  replayEndpoint: ['createEndpoint'],
  listWebhookDeliveries: ['createEndpoint', 'testEndpoint'],
  replayWebhookDelivery: ['createEndpoint', 'testEndpoint', 'listWebhookDeliveries'],
};

export function stepsBefore(pages: readonly ReferencePage[], operationId: string): Step[] {
  return (before[operationId] ?? []).map((id) => {
    const page = pages.find(({ route }) => route.operation.operationId === id);
    if (page === undefined) throw new Error(`there is no operation ${id}`);
    return stepOf(page);
  });
}

export function stepOf({ body, slug }: ReferencePage): Step {
  const [request = '', answer = ''] = body.split('## Answer\n');
  const [command] = readSteps(request).steps;
  if (command === undefined) throw new Error(`${slug} has no command`);
  const shown = /```json\n([\s\S]*?)```/.exec(answer)?.[1];
  if (shown === undefined) return command;
  return { ...command, answer: { line: 0, language: 'json', text: shown, part: '' } };
}

/** The preparation by an operator for the reader of an operation. */
export async function prepare(reader: Reader, operationId: string): Promise<void> {
  if (operationId === 'getMtnBalance') {
    await runStep(reader, './oja merchant mtn-line add DEMO 08031234567 "Mama Put Stores" --env test');
  }
  if (operationId === 'redeemVoucher') {
    const file = join(reader.folder, `${randomUUID()}.csv`);
    await runStep(reader, `./oja voucher issue DEMO --value 5000 --count 1 --env test --file ${file}`);
    const [code] = /(?:[0-9A-Z]{4}-){3}[0-9A-Z]{4}/.exec(await readFile(file, 'utf8')) ?? [];
    if (code === undefined) throw new Error(`no code in ${file}`);
    reader.seen.set('4F7K-9QXM-2D8H-B3TG', code);
  }
}
