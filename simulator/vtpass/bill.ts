/** The differences between the bill products of the simulated VTpass. */
import type { Order } from '../books.ts';
import type { SimulatedCustomer } from '../customers.ts';
import type { Service, Variation } from './catalog.ts';

export type SimulatedBill = {
  readonly product: string;
  /** The category that lists its services. */
  readonly category: string;
  readonly type: string;
  readonly services: readonly (readonly [serviceId: string, name: string])[];
  /** Smallest and largest purchase where the customer sets the amount, in kobo. */
  readonly bounds: { readonly min: bigint; readonly max: bigint };
  /** The customer sets the amount; else the variation has its price. */
  readonly isByAmount: boolean;
  /** A verification names the variation as its `type`. */
  readonly takesType: boolean;
  /** Of every service; absent if they are the plans of the demo catalog. */
  readonly variations?: ReadonlyMap<string, Variation>;
  /** The service has no customers: its goods are for the phone. */
  isForPhone?(service: Service): boolean;
  /** Whether a text can be a customer's id. */
  isPlausible(recipient: string): boolean;
  /** Undefined for an unknown customer, and for the wrong kind of variation. */
  find(service: Service, recipient: string, variation: string | undefined): SimulatedCustomer | undefined;
  /** Of `POST /merchant-verify`: the content about a customer. */
  toContent(
    service: Service,
    recipient: string,
    variation: string,
    customer: SimulatedCustomer,
  ): Record<string, unknown>;
  /** The same for an unknown customer. */
  readonly unknownText: string;
  /** The additions of a delivery to a reply, without those that are not due at `now`. */
  toGoods?(order: Order, now: Date): Record<string, unknown>;
};
