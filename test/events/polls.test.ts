/** Requests that wait for events: each merchant has a share of the places, and each key of that. */
import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { FeedPolls } from '../../src/events/poll-feed.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { limits } from '../../src/kernel/limits.ts';
import { createTestDatabase } from '../support/database.ts';
import { refusedFor } from '../support/refusals.ts';
import { until } from '../support/until.ts';

await using clone = await createTestDatabase();
const { database } = clone;

function open() {
  const polls = new FeedPolls({
    reads: () => database,
    database,
    secret: createSecretKey(randomBytes(32)),
    clock: systemClock,
    onFailure: (error) => assert.fail(String(error)),
  });
  const ended: Promise<unknown>[] = [];
  const poll = (merchantId: number, member: string, environment: 'live' | 'test' = 'live') => {
    const left = new AbortController();
    const sharer = { pool: environment, group: merchantId, member };
    const question = { after: 'latest', types: [], limit: 10, waitMs: 600_000, signal: left.signal };
    const answer = polls.poll({ merchantId, environment, sharer }, question);
    ended.push(answer.catch(() => undefined));
    return { answer, leave: () => left.abort() };
  };
  return { polls, poll, over: () => Promise.all(ended) };
}

async function statesOf(polls: readonly { readonly answer: Promise<unknown> }[]) {
  const refusals: unknown[] = [];
  for (const { answer } of polls) answer.catch((error: unknown) => refusals.push(error));
  return refusals;
}

describe('requests that wait for events', () => {
  const { eachGroup, eachMember } = limits.eventPolls.pools.live;

  it('are refused to a merchant that has its share, whatever number of keys it has', async () => {
    const { polls, poll, over } = open();
    const many = Array.from({ length: 30 }, (_, key) =>
      Array.from({ length: eachMember }, () => poll(1, `key ${key}`)),
    ).flat();
    const refusals = await statesOf(many);
    await until(
      'all others wait',
      () => polls.waiting === eachGroup && refusals.length === many.length - eachGroup,
    );
    for (const error of refusals) assert.ok(refusedFor('event_polls_full')(error));
    const other = poll(2, 'key');
    const test = poll(1, 'key', 'test');
    await until('others wait', () => polls.waiting === eachGroup + 2);
    polls.close();
    await Promise.all([other.answer, test.answer]);
    await over();
  });

  it('are refused to a key that has its share, and admitted again when a caller has gone', async () => {
    const { polls, poll, over } = open();
    const own = Array.from({ length: eachMember }, () => poll(1, 'key'));
    await until('they wait', () => polls.waiting === eachMember);
    await assert.rejects(poll(1, 'key').answer, refusedFor('event_polls_full'));
    own[0]?.leave();
    await own[0]?.answer;
    void poll(1, 'key');
    await until('another waits', () => polls.waiting === eachMember);
    polls.close();
    await over();
  });
});
