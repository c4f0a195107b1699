/** The commands that correct the differences of a reconciliation. Differences carry data only. */
import type { Static } from 'typebox';
import type { Environment } from '../core/environment.ts';
import type { reconciliationOutput } from '../finance/reconciliation/run-answer.ts';

type Page = Static<typeof reconciliationOutput>;
type Difference = Page['data'][number];

/** Lists the command for each difference that has one. */
export function correctionsText({ run, data }: Page): string {
  const commands = data.flatMap((difference) => {
    const { applied, verdict } = difference;
    const isDone = applied !== null && verdict !== 'dismissed';
    const command = isDone ? undefined : correctionOf(difference, run.environment);
    return command === undefined ? [] : [`${difference.number}: ./oja ${command}`];
  });
  return commands.length === 0 ? '' : `\nWhat to do next:\n${commands.join('\n')}\n`;
}

/** Returns a command without `./oja`; undefined if an operator must find out more first. */
export function correctionOf(difference: Difference, environment: Environment): string | undefined {
  const { verdict, reference, purchase } = difference;
  if (verdict === 'open' && reference !== null) return `finding enter ${difference.party} ${word(reference)}`;
  // A later run has it. The charge would hide a purchase that may have been lost.
  if (verdict === 'repeated') return undefined;
  return purchase === null
    ? movementCommand(difference, environment)
    : (purchaseCommand(difference, environment) ?? movementCommand(difference, environment));
}

function purchaseCommand(difference: Difference, environment: Environment): string | undefined {
  const { kind, purchase, merchant, effect } = difference;
  const named = `${word(purchase ?? '')} --merchant ${merchant} --env ${environment}`;
  const reason = `--reason ${reasonOf(difference)}`;
  switch (kind) {
    case 'failed_there_pending_here':
    case 'unknown_there_pending_here':
    case 'pending_here':
      return `purchase query ${named}`;
    case 'delivered_there_pending_here': {
      // Without a cost, the estimate of the route is booked.
      const cost = effect === '0.00' ? '' : ` --cost ${effect}`;
      return `purchase settle ${named} --success${cost} --evidence ${reasonOf(difference)}`;
    }
    case 'failed_there_success_here':
      return `purchase provider-refund ${named} ${reason}`;
    case 'cost_differs':
      return effect.startsWith('-')
        ? `purchase provider-refund ${named} --amount ${effect.slice(1)} ${reason}`
        : undefined;
    case 'other_recipient':
      return `purchase refund ${named} ${reason}`;
    case 'ledger_differs':
      return 'audit';
    default:
      return undefined;
  }
}

function movementCommand(difference: Difference, environment: Environment): string | undefined {
  const { kind, party, reference, amount, effect, merchant } = difference;
  if (reference === null) return undefined;
  const charge = (name: string): string | undefined =>
    // A difference without an effect is not in naira.
    effect !== '0.00' && !effect.startsWith('-')
      ? `float charge ${party} ${effect} --reference ${word(name)} --reason ${reasonOf(difference)}`
      : undefined;
  const topUp = (name: string): string | undefined =>
    effect.startsWith('-') ? `float top-up ${party} ${effect.slice(1)} --reference ${word(name)}` : undefined;
  switch (kind) {
    case 'unknown_here':
    case 'delivered_there_failed_here':
      // A part of the order may be booked already.
      return charge(`order:${reference}${effect === amount ? '' : ':more'}`);
    case 'delivered_twice':
    case 'cost_differs':
      return charge(`order:${reference}:more`);
    case 'top_up_unbooked':
      return topUp(reference);
    case 'charge_unbooked':
      return charge(reference);
    case 'movement_differs':
      return topUp(`${reference}:more`) ?? charge(`${reference}:more`);
    case 'payment_reversed':
      return merchant === null
        ? undefined
        : `wallet credit ${word(merchant)} -… --env ${environment} --memo ${reasonOf(difference)} --key ${reference}`;
    case 'deposit_unassigned':
      return `deposit assign ${reference} …`;
    default:
      return undefined;
  }
}

function reasonOf({ party, there }: Difference): string {
  return word(`${party} reports ${there}`);
}

/** Quotes a text as one argument of a shell. */
function word(text: string): string {
  if (/^[A-Za-z0-9_.:/@%+=-]+$/.test(text) && !text.startsWith('-')) return text;
  return `'${text.replace(/[\p{Cc}]+/gu, ' ').replaceAll("'", "'\\''")}'`;
}
