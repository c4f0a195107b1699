/** Texts of the complaint page. Pure. */
import type { Output } from '../../../api/operations.ts';
import { moneyText } from '../../../design/format.ts';

type Complaint = Output<'merchant_purchase.complaint'>;
type Answer = Complaint['attempts'][number]['answers'][number];
type Texts<Word extends string> = Readonly<Record<Word, string>>;

export const answerTexts: Texts<Answer['answer']> = {
  success: 'delivered',
  failed: 'not delivered',
  accepted: 'accepted, not delivered yet',
  unknown: 'no clear answer',
  not_found: 'order not found',
  not_sent: 'could not be reached; nothing was sent',
};

export const sourceTexts: Texts<Answer['source']> = {
  purchase: 'Answer to the order',
  query: 'Answer to a query',
  callback: 'Notice of the provider',
  operator: 'Decision of the operator',
  gateway: 'Decision of the gateway',
};

export const moneyTexts: Texts<Complaint['money'][number]['what']> = {
  held: 'Held',
  charged: 'Charged',
  released: 'Returned in full',
  refunded: 'Refunded',
  voucher_returned: 'Voucher can be used again',
  not_taken: 'Nothing was taken',
};

export const nextTexts: Texts<NonNullable<Complaint['next']>['what']> = {
  in_hand: 'The gateway is working on it now.',
  send: 'The order is sent to a provider',
  ask: 'The provider is queried again',
  ask_for_goods: 'The provider is queried for the token or code',
  add_goods: 'The operator must add the token or code.',
  deliver: 'The goods are sent to the customer',
};

/** States where the money is now. */
export function whereMoneyIs({ money, charge, status, paid_by: payer }: Complaint): string {
  const amount = moneyText(charge);
  if (money.some(({ what }) => what === 'not_taken')) return 'Nothing was taken from your wallet.';
  if (status === 'pending') {
    return payer === 'voucher'
      ? 'The voucher is reserved until the outcome is known.'
      : `${amount} is held in your wallet until the outcome is known. It is charged once, or returned in full.`;
  }
  if (status === 'failed') {
    return payer === 'voucher'
      ? 'The voucher was not used up.'
      : `${amount} was returned to your wallet in full.`;
  }
  const refunds = money.filter(({ what }) => what === 'refunded').length;
  const paid = payer === 'voucher' ? 'The voucher paid for it.' : `${amount} was charged to your wallet.`;
  return refunds === 0 ? paid : `${paid} Refunds to your wallet are listed below.`;
}
