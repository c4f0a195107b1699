/**
 * The answers that the reference shows, as `site/answers.json` keeps them. `OJA_RECORD_ANSWERS=1`
 * records them again, and changes only those that differ.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answersFile } from '../../site/generate/make-site.ts';
import type { Answers } from '../../site/generate/reference.ts';
import type { Reader } from './reader.ts';
import { differences } from './same-answer.ts';

export const isRecording = process.env.OJA_RECORD_ANSWERS === '1';
const path = join(import.meta.dirname, '..', '..', answersFile);

export function recordAnswer({ shop }: Reader, operationId: string, out: string): void {
  const kept = JSON.parse(readFileSync(path, 'utf8')) as Answers;
  const answer: unknown = shorten(JSON.parse(asExample(operationId, out.replaceAll(shop.code, 'DEMO'))));
  if (operationId in kept && differences(kept[operationId], answer, new Map()).length === 0) return;
  const all = Object.entries({ ...kept, [operationId]: answer });
  const sorted = Object.fromEntries(all.toSorted(([one], [other]) => (one < other ? -1 : 1)));
  writeFileSync(path, `${JSON.stringify(sorted, null, 2)}\n`);
}

/**
 * The first id of an answer is that of the examples, so that requests of a page match its answer. A
 * test's delivery is a different object than its endpoint.
 */
function asExample(operationId: string, out: string): string {
  const example = `019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a1${operationId === 'testEndpoint' ? 1 : 0}`;
  const [first] = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/.exec(out) ?? [];
  return (first === undefined ? out : out.replaceAll(first, example))
    .replace(/whsec_[A-Za-z0-9+/=]+/g, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwtVw6zBZAc3I=')
    .replace(/"merchant_name":"[^"]*"/g, '"merchant_name":"Demo Merchant"')
    .replace(/"merchant_id":\d+/g, '"merchant_id":1');
}

/** The first two of a long list. */
function shorten(value: unknown): unknown {
  if (Array.isArray(value)) {
    const kept = value.map(shorten);
    return kept.length > 3 && typeof kept[0] === 'object' ? [...kept.slice(0, 2), { '…': '…' }] : kept;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shorten(item)]));
}
