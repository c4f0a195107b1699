/**
 * The oracle: the gateway's answers to recorded requests, its OpenAPI document, and the books of a
 * random day equal the recordings. `npm run record-oracle` records them again. A commit that
 * changes a recording gives the reason.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openSharedGateway } from '../e2e/gateway-under-test.ts';
import { makeDocument } from '../support/api-document.ts';
import { createNormalizer } from './normalize.ts';
import { playDrawnDay } from './play-drawn-day.ts';
import { playRequests, type RecordedAnswer } from './play-requests.ts';
import { recordedRequests } from './requests.ts';

const gateway = await openSharedGateway();

type Recorded = Readonly<Record<string, RecordedAnswer>>;

const pathOf = (file: string): string => join(import.meta.dirname, file);

async function readRecorded(file: string): Promise<Recorded> {
  return JSON.parse(await readFile(pathOf(file), 'utf8'));
}

/** Fails unless `value` equals the file. */
async function assertRecorded(file: string, value: unknown): Promise<void> {
  const plain = JSON.parse(JSON.stringify(value));
  assert.deepEqual(plain, await readRecorded(file), `${file} differs: npm run record-oracle`);
}

/** Records the value first if recording is on. */
async function record(file: string, value: unknown): Promise<void> {
  if (process.env.OJA_RECORD_ORACLE === '1') {
    await writeFile(pathOf(file), `${printed(JSON.parse(JSON.stringify(value)))}\n`);
  }
  await assertRecorded(file, value);
}

/** JSON with a line for each part, so that a change shows as a few lines. */
function printed(value: unknown, depth = 3): string {
  if (depth === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) {
    return JSON.stringify(value);
  }
  const lines = Object.entries(value).map(
    ([name, item]) => `${JSON.stringify(name)}: ${printed(item, depth - 1)}`,
  );
  return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n}`;
}

/** Ways in which one answer differs from the recorded one. */
const changes: Readonly<Record<string, (recorded: Recorded) => Recorded>> = {
  status: (recorded) => withChanged(recorded, 'airtime sync', (answer) => ({ ...answer, status: 500 })),
  amount: (recorded) => withChanged(recorded, 'balance after', replaceIn(/"(\d)\d*\.(\d\d)"/, '"0.01"')),
  reason: (recorded) => withChanged(recorded, 'airtime sync again', replaceIn(/reference_used/, 'odd')),
  id: (recorded) => withChanged(recorded, 'gift card order status', replaceIn(/<id \d+>/, '<id 0>')),
};

function withChanged(
  recorded: Recorded,
  name: string,
  change: (answer: RecordedAnswer) => unknown,
): Recorded {
  const answer = recorded[name];
  assert.ok(answer);
  return { ...recorded, [name]: change(answer) as RecordedAnswer };
}

function replaceIn(pattern: RegExp, by: string): (answer: RecordedAnswer) => unknown {
  return (answer) => JSON.parse(JSON.stringify(answer).replace(pattern, by));
}

describe('the oracle', () => {
  it('answers the recorded requests as recorded', async () => {
    await record('answers.json', await playRequests(gateway, recordedRequests));
  });

  it('serves the OpenAPI document as recorded, apart from texts and examples', async () => {
    await record('openapi.json', createNormalizer()(withoutTexts(JSON.parse(await makeDocument()))));
  });

  it('posts the books of a drawn day as recorded', async () => {
    await record('books.json', await playDrawnDay(7));
  });

  for (const [what, change] of Object.entries(changes)) {
    it(`rejects an answer with another ${what} than the recorded one`, async () => {
      const recorded = await readRecorded('answers.json');
      await assertRecorded('answers.json', recorded);
      await assert.rejects(assertRecorded('answers.json', change(recorded)));
    });
  }

  it('rejects the books of another day', async () => {
    await assert.rejects(assertRecorded('books.json', await playDrawnDay(8)));
  });
});

const examples = new Set(['example', 'examples', 'x-examples']);

/** A schema may have a property called `description`, which stays. */
function withoutTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, item]) => !(name === 'description' && typeof item === 'string'))
      .filter(([name]) => !examples.has(name))
      .map(([name, item]) => [name, withoutTexts(item)]),
  );
}
