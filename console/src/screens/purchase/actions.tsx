/** The actions on a purchase in its current state, with the roles that may run each. */
import { type ReactNode, useState } from 'react';
import type { OperationName } from '../../api/operations.ts';
import { useMay } from '../../api/session.ts';
import { amountText, goodsText, minorUnits, moneyText, words } from '../../design/format.ts';
import { operationForms } from '../../widgets/action-text.ts';
import { Empty } from '../../widgets/notes.tsx';
import { OperationButton, type OperationButtonProps, useRolesOf } from '../../widgets/operation-button.tsx';
import styles from './actions.module.css';
import type { Purchase } from './purchase-text.ts';

type Possible = OperationButtonProps & { readonly why: ReactNode };

/** Lists the actions. An action with an open dialog stays when the purchase becomes final. */
export function PurchaseActions({ purchase }: { readonly purchase: Purchase }) {
  const [open, setOpen] = useState<Possible>();
  const now = actionsFor(purchase);
  const isGone = open !== undefined && !now.some(({ name }) => name === open.name);
  const possible = isGone ? [open, ...now] : now;
  if (possible.length === 0) {
    return <Empty title="No actions available.">The purchase is final and fully refunded.</Empty>;
  }
  return (
    <ul className={styles.list}>
      {possible.map((one) => {
        const { why, ...button } = one;
        return (
          <li key={button.name}>
            <div>{why}</div>
            <OperationButton {...button} onOpenChange={(isOpen) => setOpen(isOpen ? one : undefined)} />
            <RequiredRole name={button.name} />
          </li>
        );
      })}
    </ul>
  );
}

function RequiredRole({ name }: { readonly name: OperationName }) {
  const may = useMay();
  const roles = useRolesOf(name);
  return may(name) ? null : <div className={styles.who}>{words(roles)} role required.</div>;
}

function actionsFor(purchase: Purchase): Possible[] {
  const given = { reference: purchase.id };
  if (purchase.status === 'pending') return whilePending(purchase, given);
  return purchase.status === 'success' ? afterSuccess(purchase, given) : deliveryActions(purchase, given);
}

type Given = { readonly reference: string };

function whilePending(purchase: Purchase, given: Given): Possible[] {
  const query: Possible = {
    name: 'purchase.query',
    ...operationForms['purchase.query'],
    why: 'The provider’s answer decides. A query never buys again.',
    lead: 'The provider’s answer takes effect immediately.',
    look: 'main',
    given,
  };
  const settle: Possible = {
    name: 'purchase.settle',
    ...operationForms['purchase.settle'],
    why: 'If the provider cannot be queried and its support confirmed the outcome.',
    lead: 'This is final. A success takes the held money; a failure releases it.',
    given,
    about: aboutOf(purchase),
  };
  return purchase.goods_sealed ? [query, orderGoods(given), settle] : [query, settle];
}

/** Summarizes the purchase for the review of an action that moves money. */
function aboutOf({ merchant, product, network, msisdn, face_value: amount, reference }: Purchase) {
  return {
    Merchant: merchant,
    Purchase: `${goodsText(product, network)}, ${moneyText(amount)}, for ${msisdn}`,
    'Merchant’s reference': reference,
  };
}

function orderGoods(given: Given): Possible {
  return {
    name: 'order.goods',
    verb: 'Add goods',
    why: 'If the provider’s support sent the cards, PINs or eSIM.',
    title: 'Add goods from the provider’s support',
    given,
    fields: ['goods'],
    done: 'Goods added.',
  };
}

function afterSuccess(purchase: Purchase, given: Given): Possible[] {
  const left = minorUnits(purchase.charge) - minorUnits(purchase.refunded);
  const costLeft = minorUnits(purchase.cost ?? '0') - minorUnits(purchase.cost_refunded);
  const owes = purchase.pending_fulfilments !== null && purchase.pending_fulfilments.arrived_at === null;
  const token: Possible = {
    name: 'purchase.goods',
    verb: 'Add token',
    why: 'The provider reported success without the token. Ask its support for the token.',
    given,
    labels: { kct1: 'First key change token', kct2: 'Second key change token' },
    done: 'Token added.',
  };
  const refund: Possible = {
    name: 'purchase.refund',
    verb: 'Refund the merchant',
    why: `Up to ${moneyText(amountText(left))} can be refunded. The purchase stays a success.`,
    given,
    about: aboutOf(purchase),
    fields: ['amount', 'reason'],
    start: { amount: amountText(left) },
    needed: ['amount'],
    labels: { amount: 'Amount in naira' },
    done: 'Merchant refunded.',
  };
  const fromProvider: Possible = {
    name: 'purchase.provider_refund',
    verb: 'Book provider refund',
    why: `Money that the provider returned, up to ${moneyText(amountText(costLeft))}. The merchant is not refunded.`,
    given,
    about: aboutOf(purchase),
    fields: ['amount', 'reason'],
    start: { amount: amountText(costLeft) },
    needed: ['amount'],
    labels: { amount: 'Amount in naira' },
    done: 'Provider refund booked.',
  };
  return [
    ...(owes ? [purchase.goods_sealed ? orderGoods(given) : token] : []),
    ...deliveryActions(purchase, given),
    ...(left > 0n ? [refund] : []),
    ...(costLeft > 0n ? [fromProvider] : []),
  ];
}

function deliveryActions(purchase: Purchase, given: Given): Possible[] {
  const { delivery } = purchase;
  if (delivery === null || purchase.status !== 'success') return [];
  return [
    {
      name: 'delivery.retry',
      ...operationForms['delivery.retry'],
      why: `To ${delivery.hint} by ${delivery.channel}. State: ${delivery.state}.`,
      given,
    },
  ];
}
