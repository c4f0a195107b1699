/**
 * Checks that the tokens of prepaid meters survived: each client got the token in the provider's
 * books, and the purchase's status returns it.
 */
import { digitsFrom } from '../../simulator/customers.ts';
import type { Delivery, StoredPurchase } from './books.ts';
import type { KeyPair } from './gateway.ts';
import type { Purchase } from './load.ts';

export type TokenCheck = {
  /** Where the gateway answers. */
  readonly url: string;
  readonly live: KeyPair;
  readonly sent: readonly Purchase[];
  readonly purchases: readonly StoredPurchase[];
  readonly deliveries: readonly Delivery[];
};

/** Every difference is a sentence; `checked` counts the checked statuses. */
export async function compareTokens(check: TokenCheck): Promise<{ wrong: string[]; checked: number }> {
  const wrong: string[] = [];
  const bought = check.purchases.filter(
    (purchase) => purchase.product === 'ELECTRICITY' && purchase.status === 'success',
  );
  const delivered = new Map(check.deliveries.map((delivery) => [delivery.reference, delivery]));
  const answered = new Map(check.sent.map((purchase) => [purchase.reference, tokensAnswered(purchase)]));
  for (const purchase of bought) {
    const delivery = purchase.attempts.map((reference) => delivered.get(reference)).find((found) => found);
    if (delivery === undefined) continue;
    const given = digitsFrom(delivery.reference, 'token');
    const status = await tokenInStatus(check, purchase.reference);
    const heard = answered.get(purchase.reference) ?? [];
    // Nomba returns a token once, in its reply to the purchase. If the reply is lost, so is the
    // token.
    const mayBeLost = delivery.provider === 'nomba' && heard.length === 0;
    if (status !== given && !(status === undefined && mayBeLost)) {
      wrong.push(`the meter got ${given}, the status says ${status}: ${purchase.reference}`);
    }
    const otherwise = heard.find((token) => token !== given);
    if (otherwise !== undefined) {
      wrong.push(`the meter got ${given}, a client was told ${otherwise}: ${purchase.reference}`);
    }
  }
  return { wrong, checked: bought.length };
}

function tokensAnswered({ answers }: Purchase): string[] {
  return answers.flatMap((one) => ('token' in one && one.token !== undefined ? [one.token] : []));
}

async function tokenInStatus({ url, live }: TokenCheck, reference: string): Promise<string | undefined> {
  const answer = await fetch(`${url}/v1/transactions/status?request_ref=${reference}`, {
    headers: { 'x-merchant-key': live.key, 'x-merchant-secret': live.secret },
  });
  return ((await answer.json()) as { payload?: { token?: string } }).payload?.token;
}
