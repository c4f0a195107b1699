/**
 * The screens of the portal with their addresses and operations. A test ensures that every
 * operation of the portal has a screen.
 */
import type { Screen } from './screen.ts';

export const portalScreens = {
  balance: {
    path: '/balance',
    name: 'Balance',
    isListed: true,
    document: 'merchants/wallet.md#balance',
    woven: [
      'wallet.show',
      'wallet.alerts',
      'wallet.set_alert',
      'funding.account',
      'funding.open',
      'deposit.credited',
    ],
  },
  buy: {
    path: '/buy',
    name: 'Buy',
    isListed: true,
    document: 'merchants/portal.md#a-first-purchase',
    woven: ['merchant_purchase.quote', 'merchant_purchase.buy', 'recipient.show'],
  },
  recipients: {
    path: '/recipients',
    name: 'Saved recipients',
    isListed: false,
    document: 'merchants/portal.md#screens',
    woven: ['recipient.list', 'recipient.add', 'recipient.rename', 'recipient.remove'],
  },
  purchases: {
    path: '/purchases',
    name: 'Purchases',
    isListed: true,
    document: 'merchants/portal.md#screens',
    woven: ['merchant_purchase.list'],
  },
  purchase: {
    path: '/purchases/$reference',
    name: 'Purchase',
    isListed: false,
    document: 'merchants/portal.md#receipts',
    woven: [
      'merchant_purchase.show',
      'merchant_purchase.reveal',
      'receipt.link',
      'receipt.send',
      'receipt.revoke',
    ],
  },
  complaint: {
    path: '/purchases/$reference/complaint',
    name: 'Complaint',
    isListed: false,
    document: 'merchants/outcomes.md',
    woven: ['merchant_purchase.complaint'],
  },
  bulk: {
    path: '/bulk',
    name: 'Bulk',
    isListed: true,
    document: 'merchants/bulk.md',
    woven: ['batch.list', 'batch.create'],
  },
  batch: {
    path: '/bulk/$batch',
    name: 'Batch',
    isListed: false,
    document: 'merchants/bulk.md#start-pause-stop',
    woven: ['batch.show', 'batch.rows', 'batch.start', 'batch.pause', 'batch.stop'],
  },
  statement: {
    path: '/statement',
    name: 'Statement',
    isListed: true,
    document: 'merchants/wallet.md#statement',
    woven: ['wallet.entries'],
  },
  prices: {
    path: '/prices',
    name: 'Prices',
    isListed: true,
    document: 'merchants/products.md',
    woven: ['price.list'],
  },
  vouchers: {
    path: '/vouchers',
    name: 'Vouchers',
    isListed: true,
    document: 'merchants/portal.md#screens',
    woven: ['voucher.list', 'voucher.show'],
  },
  keys: {
    path: '/keys',
    name: 'API keys',
    isListed: true,
    document: 'merchants/portal.md#rotate-a-key',
    woven: [
      'credential.list',
      'credential.issue',
      'credential.rotate',
      'credential.set_caps',
      'credential.revoke',
    ],
  },
  webhooks: {
    path: '/webhooks',
    name: 'Webhooks',
    isListed: true,
    document: 'merchants/webhooks.md',
    woven: ['webhook.list', 'webhook.create'],
  },
  webhook: {
    path: '/webhooks/$endpoint',
    name: 'Webhook endpoint',
    isListed: false,
    document: 'merchants/webhooks.md#when-you-do-not-answer',
    woven: [
      'webhook.show',
      'webhook.deliveries',
      'webhook.show_delivery',
      'webhook.test',
      'webhook.replay',
      'webhook.replay_delivery',
      'webhook.rotate',
      'webhook.change',
      'webhook.enable',
      'webhook.disable',
      'webhook.delete',
    ],
  },
  shop: {
    path: '/shop',
    name: 'Shop',
    isListed: true,
    document: 'merchants/portal.md#receipts',
    woven: ['shop.show', 'shop.set'],
  },
  tryIt: {
    path: '/try',
    name: 'Try it',
    isListed: true,
    document: 'merchants/sandbox.md',
    woven: ['merchant_purchase.try', 'deposit.try'],
  },
  team: {
    path: '/team',
    name: 'Team',
    isListed: true,
    document: 'merchants/portal.md#roles',
    woven: [
      'team.list',
      'team.invite',
      'team.set_roles',
      'team.reset',
      'team.suspend',
      'team.resume',
      'team.list_sessions',
      'team.end_sessions',
    ],
  },
} as const satisfies Readonly<Record<string, Screen>>;

/** The page that explains the account of the user, who needs no role for it. */
export const portalAccountDocument = 'merchants/portal.md#when-you-enter-the-password-again';

/** In the order of the navigation. */
export const listedPortalScreens: readonly Screen[] = Object.values(portalScreens).filter(
  ({ isListed }) => isListed,
);
