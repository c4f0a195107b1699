/** What a person may do about a purchase as it stands, and who may where it is not this one. */
import { type ReactNode, useState } from 'react';
import type { OperationName } from '../../api/operations.ts';
import { useMay } from '../../api/session.ts';
import { amountText, minorUnits, moneyText, words } from '../../design/format.ts';
import { Act, type ActProps, useRolesOf } from '../../widgets/act.tsx';
import { Empty } from '../../widgets/notes.tsx';
import type { Purchase } from './next-words.ts';
import styles from './possible-acts.module.css';

type Possible = ActProps & { readonly why: ReactNode };

/** An act whose dialog is open stays, although the purchase has ended meanwhile. */
export function PossibleActs({ purchase }: { readonly purchase: Purchase }) {
  const [open, setOpen] = useState<Possible>();
  const now = possibleActs(purchase);
  const isGone = open !== undefined && !now.some(({ name }) => name === open.name);
  const possible = isGone ? [open, ...now] : now;
  if (possible.length === 0) {
    return <Empty title="Nothing is to be done.">It ended, and all of it was given back.</Empty>;
  }
  return (
    <ul className={styles.list}>
      {possible.map((one) => {
        const { why, ...act } = one;
        return (
          <li key={act.name}>
            <div>{why}</div>
            <Act {...act} onOpenChange={(isOpen) => setOpen(isOpen ? one : undefined)} />
            <WhoMay name={act.name} />
          </li>
        );
      })}
    </ul>
  );
}

function WhoMay({ name }: { readonly name: OperationName }) {
  const may = useMay();
  const roles = useRolesOf(name);
  return may(name) ? null : <div className={styles.who}>{words(roles)} may do this.</div>;
}

function possibleActs(purchase: Purchase): Possible[] {
  const given = { reference: purchase.id };
  if (purchase.status === 'pending') return whilePending(purchase, given);
  return purchase.status === 'success' ? afterSuccess(purchase, given) : deliveryActs(purchase, given);
}

type Given = { readonly reference: string };

function whilePending(purchase: Purchase, given: Given): Possible[] {
  const ask: Possible = {
    name: 'purchase.query',
    verb: 'Ask the provider now',
    why: 'The provider’s own word comes first. Asking never buys again.',
    lead: 'Its provider is asked what became of it. The answer takes effect at once.',
    look: 'main',
    given,
    fields: [],
  };
  const settle: Possible = {
    name: 'purchase.settle',
    verb: 'Settle it',
    why: 'Where the provider cannot be asked, and its support told a person what became of it.',
    title: 'Settle it by the word of the provider’s support',
    lead: 'It ends for good: a success takes the held money, a failure gives it back.',
    given,
    about: aboutOf(purchase),
    fields: ['outcome', 'evidence', 'cost', 'override'],
    labels: {
      outcome: 'What became of it',
      evidence: 'The evidence',
      cost: 'What the provider took for it, in naira',
      override: 'Against the provider’s own word',
    },
    done: 'It is settled.',
  };
  return purchase.goods_sealed ? [ask, orderGoods(given), settle] : [ask, settle];
}

/** What money is moved for, in the review. */
function aboutOf({ merchant, product, network, msisdn, face_value: amount, reference }: Purchase) {
  return {
    Merchant: merchant,
    Purchase: `${words(product)} of ${network}, ${moneyText(amount)}, for ${msisdn}`,
    'Merchant’s reference': reference,
  };
}

function orderGoods(given: Given): Possible {
  return {
    name: 'order.goods',
    verb: 'Add its goods',
    why: 'Where the provider’s support told the cards, the PINs or the eSIM.',
    title: 'Add the goods that the provider’s support named',
    given,
    fields: ['goods'],
    done: 'The goods are added.',
  };
}

function afterSuccess(purchase: Purchase, given: Given): Possible[] {
  const left = minorUnits(purchase.charge) - minorUnits(purchase.refunded);
  const costLeft = minorUnits(purchase.cost ?? '0') - minorUnits(purchase.cost_refunded);
  const owes = purchase.pending_fulfilments !== null && purchase.pending_fulfilments.arrived_at === null;
  const token: Possible = {
    name: 'purchase.goods',
    verb: 'Add its token',
    why: 'The provider said success, and its token did not come. Its support can tell it.',
    given,
    labels: { kct1: 'First key change token', kct2: 'Second key change token' },
    done: 'The token is added.',
  };
  const refund: Possible = {
    name: 'purchase.refund',
    verb: 'Refund the merchant',
    why: `Up to ${moneyText(amountText(left))} is left to give back. The purchase stays a success.`,
    given,
    about: aboutOf(purchase),
    fields: ['amount', 'reason'],
    start: { amount: amountText(left) },
    needed: ['amount'],
    labels: { amount: 'Amount in naira' },
    done: 'The money is given back to the merchant.',
  };
  const fromProvider: Possible = {
    name: 'purchase.provider_refund',
    verb: 'Book the provider’s refund',
    why: `What the provider gave back to us, up to ${moneyText(amountText(costLeft))}. The merchant gets nothing by it.`,
    given,
    about: aboutOf(purchase),
    fields: ['amount', 'reason'],
    start: { amount: amountText(costLeft) },
    needed: ['amount'],
    labels: { amount: 'Amount in naira' },
    done: 'The provider’s refund is booked.',
  };
  return [
    ...(owes ? [purchase.goods_sealed ? orderGoods(given) : token] : []),
    ...deliveryActs(purchase, given),
    ...(left > 0n ? [refund] : []),
    ...(costLeft > 0n ? [fromProvider] : []),
  ];
}

function deliveryActs(purchase: Purchase, given: Given): Possible[] {
  const { delivery } = purchase;
  if (delivery === null || purchase.status !== 'success') return [];
  return [
    {
      name: 'delivery.retry',
      verb: 'Send it again',
      why: `To ${delivery.hint} by ${delivery.channel}: at present ${delivery.state}.`,
      given,
      fields: ['again'],
      labels: { again: 'Also if it was sent, or may have been' },
      done: 'It is sent again.',
    },
  ];
}
