/** The client. It holds the credential, and sends it to the gateway only. */
import {
  type AirtimeMethods,
  airtimeMethods,
  type DataMethods,
  dataMethods,
} from './methods/airtime-and-data.ts';
import { type BatchMethods, batchMethods } from './methods/batches.ts';
import {
  type DeliveryMethods,
  deliveryMethods,
  type EndpointMethods,
  type EventMethods,
  endpointMethods,
  eventMethods,
} from './methods/events.ts';
import {
  type EsimMethods,
  esimMethods,
  type GiftCardMethods,
  giftCardMethods,
  type PlanMethods,
  planMethods,
  type VoucherMethods,
  voucherMethods,
} from './methods/goods.ts';
import { type HealthMethods, healthMethods } from './methods/health.ts';
import { type PurchaseMethods, purchaseMethods } from './methods/purchases.ts';
import { type TestMethods, testMethods } from './methods/test-tools.ts';
import { type WalletMethods, walletMethods } from './methods/wallet.ts';
import { type OjaOptions, readOptions } from './options.ts';
import { webhooks } from './webhooks.ts';

export class Oja {
  readonly airtime: AirtimeMethods;
  readonly data: DataMethods;
  readonly purchases: PurchaseMethods;
  readonly batches: BatchMethods;
  readonly plans: PlanMethods;
  readonly giftCards: GiftCardMethods;
  readonly vouchers: VoucherMethods;
  readonly esims: EsimMethods;
  readonly wallet: WalletMethods;
  readonly events: EventMethods;
  readonly endpoints: EndpointMethods;
  readonly deliveries: DeliveryMethods;
  readonly health: HealthMethods;
  /** For test credentials only. */
  readonly test: TestMethods;
  readonly webhooks = webhooks;

  constructor(options: OjaOptions) {
    const settings = readOptions(options);
    this.airtime = airtimeMethods(settings);
    this.data = dataMethods(settings);
    this.purchases = purchaseMethods(settings);
    this.batches = batchMethods(settings);
    this.plans = planMethods(settings);
    this.giftCards = giftCardMethods(settings);
    this.vouchers = voucherMethods(settings);
    this.esims = esimMethods(settings);
    this.wallet = walletMethods(settings);
    this.events = eventMethods(settings);
    this.endpoints = endpointMethods(settings);
    this.deliveries = deliveryMethods(settings);
    this.health = healthMethods(settings);
    this.test = testMethods(settings);
  }
}
