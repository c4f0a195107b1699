/** The history of a vend as one list of events in order of time. Pure. */
import { formatLocal } from '../../kernel/clock.ts';
import { formatAmount } from '../../kernel/money.ts';
import { overrideCode } from '../vend/operator-word.ts';
import { outcomeWords } from './outcome-words.ts';
import type { VendHistory } from './read-history.ts';

export type TimelineEvent = { readonly at: Date; readonly what: string; readonly detail: string };

export function timelineOf(history: VendHistory): TimelineEvent[] {
  const { vend, outcome } = history;
  const providers = new Map(history.attempts.map((attempt) => [attempt.number, attempt.provider]));
  // In the order in which they follow from each other: what has the same time (one transaction)
  // stays in this order.
  const events: TimelineEvent[] = [
    {
      at: vend.created_at,
      what: 'accepted',
      detail: `${vend.mode}, with ${vend.credential_id}; route ${vend.route}`,
    },
    ...history.attempts.map((attempt) => ({
      at: attempt.started_at,
      what: `attempt ${attempt.number}`,
      detail: `${attempt.provider}, as ${attempt.reference} (${attempt.reason})`,
    })),
    ...history.answers.map((answer) => ({
      at: answer.at,
      what: `answer to ${answer.attempt}`,
      detail: answerDetail(answer, providers.get(answer.attempt)),
    })),
    ...(outcome === undefined
      ? []
      : [{ at: outcome.at, what: outcome.status, detail: outcomeDetail(outcome) }]),
    ...lateGoodsEvents(history.lateGoods),
    ...history.transfers.map((transfer) => ({
      at: transfer.created_at,
      what: 'transfer',
      detail: `${transfer.code}: ${formatAmount(transfer.amount)} from ${transfer.debit} to ${transfer.credit}`,
    })),
    ...history.refunds.map(({ at, kind, amount, reason, by, principal }) => ({
      at,
      what: kind === 'merchant' ? 'refund' : 'provider refund',
      detail: `${formatAmount(amount)}, by ${by} (${principal}): ${reason}`,
    })),
    ...history.alarms.map((alarm) => ({
      at: alarm.at,
      what: `alarm ${alarm.id}`,
      detail: `${alarm.kind}: ${alarm.message}${alarm.acknowledged_at === null ? '' : ` (acknowledged ${formatLocal(alarm.acknowledged_at)})`}`,
    })),
  ];
  return events.sort((one, other) => one.at.getTime() - other.at.getTime());
}

function outcomeDetail(outcome: NonNullable<VendHistory['outcome']>): string {
  const { reason, telco_message: told, goods } = outcome;
  const words = told === null ? '' : `, in the words of the network or biller "${told}"`;
  const brought = goods.length === 0 ? '' : `; brought ${goods.join(', ')}`;
  return `${reason}: ${outcomeWords[reason]}${words}${brought}`;
}

function lateGoodsEvents(late: VendHistory['lateGoods']): TimelineEvent[] {
  if (late?.arrived_at === null || late === undefined) return [];
  return [{ at: late.arrived_at, what: 'late goods', detail: `brought ${late.goods.join(', ')}` }];
}

function answerDetail(answer: VendHistory['answers'][number], provider: string | undefined): string {
  if (answer.source === 'operator') {
    const override = answer.code === overrideCode ? " against the provider's own word, by two persons" : '';
    return `settled by hand as ${answer.kind}${override}: ${answer.message}`;
  }
  const brought = answer.source === 'vend' ? '' : `, by ${answer.source}`;
  const upstream = answer.provider_id === null ? '' : `, their id ${answer.provider_id}`;
  const took = answer.latency_ms === null ? '' : `, after ${answer.latency_ms} ms`;
  const said = `${provider ?? 'unknown'} says ${answer.kind} (code ${answer.code}: ${answer.message})`;
  return `${said}${upstream}${brought}${took}`;
}
