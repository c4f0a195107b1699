/** How faults affect a bank's call: before the work, after it, or instead of its answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault, Operation, ProviderName } from '../faults.ts';
import { json, type Reply } from '../http.ts';
import { holdBack, spoil, type Words } from '../misbehave.ts';
import type { Bank } from './bank.ts';

const unsaid = json({ message: 'Service unavailable' }, 503);

const words: Words = {
  odd: { unexpected: true },
  noAccess: json({ message: 'Forbidden' }, 403),
  floatOut: unsaid,
  billerDown: unsaid,
  unauthorized: json({ message: 'Unauthorized' }, 401),
  rateLimited: json({ message: 'Too many requests' }, 429),
  stranger: (proper) => proper,
};

/** An error that proves nothing about the work, in each bank's own format. */
const bareRefusals: Partial<Record<ProviderName, Reply>> = {
  monnify: json({ requestSuccessful: false, responseMessage: 'Request failed', responseCode: '99' }, 400),
  paystack: json({ status: false, message: 'An error occurred', type: 'api_error', code: 'unknown' }, 400),
  flutterwave: json({ status: 'error', message: 'An error occurred', data: null }, 400),
  payvessel: json({ status: false, service: 'CREATE_VIRTUAL_ACCOUNT', message: 'Request failed' }, 400),
};

/** `work` runs unless the fault means that the call never arrived. */
export async function underFaults(
  bank: Bank,
  provider: ProviderName,
  operation: Operation,
  work: () => Reply | Promise<Reply>,
): Promise<Reply> {
  const { latencyMs, timeoutMs } = bank.settings;
  const refusals = { ...words, bareRefusal: bareRefusals[provider] ?? words.noAccess };
  const fault = bank.faults.take(provider, operation, '');
  if (latencyMs > 0) await sleep(latencyMs);
  if (fault === undefined) return await work();
  await holdBack(fault);
  const proper = isDone(fault) ? await work() : unsaid;
  return spoil(fault, proper, refusals, timeoutMs);
}

function isDone(fault: Fault): boolean {
  return fault.fault === 'slow' || fault.fault === 'odd_reply' || fault.delivered;
}
