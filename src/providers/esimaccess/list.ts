/**
 * Reads eSIM Access's list of eSIMs as statement lines. Pure. The list has neither costs nor order
 * times. The time comes from our id; foreign orders get the start of the period.
 */

import { type Body, isBody, word } from '../http/reply-fields.ts';
import type { LinesPage, Period, StatementLine, StatementState } from '../statements/statement-line.ts';
import type { Request } from './client.ts';
import { DELIVERED, mintedAt, PAGE_SIZE, type Page } from './mapping.ts';

/** An order is placed within a minute of its id. Clocks differ. */
const SLACK_MS = 15 * 60_000;

export function toPeriodListing({ from, to }: Period, page: string | undefined): Request {
  const time = (at: Date, slackMs: number): string =>
    `${new Date(at.getTime() + slackMs).toISOString().slice(0, 16)}+00:00`;
  return {
    operation: 'list',
    path: '/esim/query',
    body: {
      startTime: time(from, -SLACK_MS),
      endTime: time(to, SLACK_MS),
      pager: { pageNum: Number(page ?? '1'), pageSize: PAGE_SIZE },
    },
  };
}

export function readPeriodListing(period: Period, number: string | undefined, page: Page): LinesPage {
  if (page.kind === 'answer') return { kind: 'unavailable', reason: page.answer.message };
  const pageNum = Number(number ?? '1');
  const isLast = page.entries.length === 0 || pageNum * PAGE_SIZE >= page.total;
  return {
    kind: 'page',
    lines: page.entries.map((entry) => lineOf(entry, period)),
    next: isLast ? undefined : String(pageNum + 1),
  };
}

function lineOf(entry: Body, { from }: Period): StatementLine {
  const words = word(entry.esimStatus)?.toUpperCase() ?? 'no state';
  const reference = word(entry.transactionId);
  const providerId = word(entry.orderNo) ?? word(entry.esimTranNo);
  const minted = reference === undefined ? undefined : mintedAt(reference);
  return {
    line: 0,
    state: stateOf(words, entry),
    words,
    at: minted === undefined ? from : new Date(minted),
    ...(reference !== undefined && { reference }),
    ...(providerId !== undefined && { providerId }),
    product: 'ESIM',
    ...itemOf(entry),
    currency: 'USD',
  };
}

/** Reads the package by its slug. A package code may be a slug. */
function itemOf({ packageList }: Body): Pick<StatementLine, 'item'> {
  const [first]: unknown[] = Array.isArray(packageList) ? packageList : [];
  const slug = isBody(first) ? (word(first.slug) ?? word(first.packageCode)) : undefined;
  return slug === undefined ? {} : { item: { planCodes: { slug }, quantity: 1 } };
}

/** A cancelled eSIM is paid back. A revoked one is not, so a person must check it. */
function stateOf(words: string, entry: Body): StatementState {
  if (words === 'CANCEL') return 'reversed';
  const hasProfile = word(entry.ac) !== undefined && word(entry.iccid) !== undefined;
  return DELIVERED.has(words) && hasProfile ? 'delivered' : 'pending';
}
