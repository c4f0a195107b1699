/** The commands that resolve a difference. Pure. */
import type { Environment } from '../../core/environment.ts';
import { formatAmount } from '../../core/money.ts';

type Named = { readonly purchase: string; readonly merchant: string; readonly environment: Environment };

export function queryCommand(named: Named): string {
  return `./oja purchase query ${nameOf(named)}`;
}

/** Settles a delivered purchase. Without a cost, the estimate of its route is booked. */
export function settleCommand(named: Named, evidence: string, cost: bigint | undefined): string {
  const took = cost === undefined ? '' : ` --cost ${formatAmount(cost)}`;
  return `./oja purchase settle ${nameOf(named)} --success${took} --evidence ${shellText(evidence)}`;
}

/** Without an amount, the rest of the cost is returned. */
export function providerRefundCommand(named: Named, reason: string, amount?: bigint): string {
  const part = amount === undefined ? '' : ` --amount ${formatAmount(amount)}`;
  return `./oja purchase provider-refund ${nameOf(named)}${part} --reason ${shellText(reason)}`;
}

export function chargeCommand(provider: string, amount: bigint, reference: string, reason: string): string {
  const of = `--reference ${shellText(reference)} --reason ${shellText(reason)}`;
  return `./oja float charge ${provider} ${formatAmount(amount)} ${of}`;
}

export function topUpCommand(provider: string, amount: bigint, reference: string): string {
  return `./oja float top-up ${provider} ${formatAmount(amount)} --reference ${shellText(reference)}`;
}

/** The key is the deposit, so that it is taken back once. */
export function takeBackCommand(
  merchant: string,
  environment: Environment,
  deposit: string,
  amount: bigint,
): string {
  const memo = shellText(`the bank reversed deposit ${deposit}`);
  return `./oja wallet credit ${shellText(merchant)} -${formatAmount(amount)} --env ${environment} --memo ${memo} --key ${deposit}`;
}

/** Enters an order that is unknown here. */
export function enterCommand(provider: string, reference: string): string {
  return `./oja finding enter ${shellText(provider)} ${shellText(reference)}`;
}

function nameOf({ purchase, merchant, environment }: Named): string {
  return `${shellText(purchase)} --merchant ${shellText(merchant)} --env ${environment}`;
}

/** Quotes a text as one word of a shell. */
export function shellText(text: string): string {
  if (/^[A-Za-z0-9_.:/@%+=-]+$/.test(text) && !text.startsWith('-')) return text;
  return `'${text.replace(/[\p{Cc}]+/gu, ' ').replaceAll("'", "'\\''")}'`;
}
