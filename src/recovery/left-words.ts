/** Why an order that a provider lists is left to a person, and what mends it. */
import type { LeftReason } from './settle-found.ts';

const enter = 'enter it: oja restore assign';

const words: Readonly<Record<LeftReason, string>> = {
  no_mark: `its reference does not say whose it is; ${enter}`,
  no_merchant: 'the merchant of its reference is not there: create it, then reconcile again',
  no_wallet: 'its merchant has no naira wallet: open one, then reconcile again',
  insufficient_funds:
    'the wallet cannot pay it: bring back its deposits (oja funding), credit it or set a floor, then reconcile again',
  delivered_again:
    'its purchase is a success by another order: the provider delivered twice; ask it for a refund',
  failed_here: 'its purchase failed here: see oja vend show, and settle it with the merchant',
  reference_taken: 'another purchase has its reference; see oja vend show',
  other_lists_missing:
    'nothing came of it, and another provider may have taken the purchase: give all lists of the whole time in one run',
  no_product: `its product is not known; ${enter} with --product`,
  no_network: `its network is not known; ${enter} with --network`,
  no_plan: `its plan is not known; ${enter} with --plan`,
  no_amount: `its amount is not known; ${enter} with --amount`,
  no_recipient: `its recipient is not known; ${enter} with --recipient`,
};

export function leftWords(reason: string): string {
  return (words as Readonly<Record<string, string>>)[reason] ?? reason;
}
