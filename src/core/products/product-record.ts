/**
 * The record of a product: everything that differs between products, as data. Code reads the record
 * and never compares names of products.
 */
import type { CustomerFact } from './customer.ts';
import type { PlanKind } from './plan-kind.ts';
import type { TestCustomer, TestNumber } from './test-rules.ts';

export type ProductRecord = DirectRecord | BillRecord | OrderRecord;

type Common = {
  /**
   * Its name in the interface, in requests, answers and the database. Requests and operators may
   * send it in any letter case.
   */
  readonly name: string;
  /** Its name on receipts. */
  readonly title: string;
  /** Whether a new merchant may buy it at once. */
  readonly isEnabledAtFirst: boolean;
  /** Anyone who reads its goods can spend them, so they are stored sealed. */
  readonly isSealed: boolean;
  /** The purchase in the examples of the API document. */
  readonly sample: ProductSample;
  /**
   * The text before the number of a story in a recipient, as it is stored. Empty where the
   * reference names the story.
   */
  readonly storyPrefixes: readonly string[];
};

type ProductSample = {
  readonly network: string;
  readonly msisdn: string;
  readonly planCode?: string;
  /** In kobo. */
  readonly faceValue: bigint;
  /** The goods of a success, by the names that they are stored by. */
  readonly goods: Readonly<Record<string, unknown>>;
  /** The text of the network or the biller for a success, and for a failure. */
  readonly said?: string;
  readonly refusal?: string;
  /** The facts about the customer of a bill, as a verification answers them. */
  readonly facts?: Readonly<Record<string, string>>;
};

/** Bought for a mobile number, sync or async, by its own two routes or by its name. */
export type DirectRecord = Common & {
  readonly kind: 'direct';
  /** Its networks: those of `network.ts`. */
  readonly networks: 'mobile';
  /** `none`: bought by amount, within `amounts`. `data`: bought by plan, at the plan's price. */
  readonly plans: 'none' | 'data';
  /** Its kinds. The first is the kind of a plan or a purchase that names none. */
  readonly planKinds: readonly [PlanKind, ...PlanKind[]];
  /** The lowest and the highest face value, both allowed, in kobo. */
  readonly amounts?: { readonly min: bigint; readonly max: bigint };
  readonly testNumbers: readonly TestNumber[];
};

/** Paid to a biller, for a customer who is verified first or for a mobile number. Always sync. */
export type BillRecord = Common & {
  readonly kind: 'bill';
  /** Its networks: the billers of the catalog. */
  readonly networks: 'billers';
  readonly plans: 'bill';
  readonly customer: BillRules & {
    /** How the customer is named before the word "number". */
    readonly noun: string;
    /** The label of the customer's number in forms. */
    readonly numberLabel: string;
    /** What a purchase sends for the customer, as the end of "msisdn must be …". */
    readonly sent: string;
    /** What a verification shows the merchant, in the order of the answer. */
    readonly facts: readonly CustomerFact[];
  };
  /** The networks in words, as the end of "network must be …", and one of them. */
  readonly networkText: string;
  readonly networkExample: string;
  /** Each of its plans is for a meter of one kind, prepaid or postpaid. */
  readonly hasMeterKinds: boolean;
  /**
   * Amounts of variable plans may have kobo, like postpaid bills; otherwise they are whole naira.
   */
  readonly takesKobo: boolean;
  /**
   * The goods that a success must contain, and for which of its plans. Absent if a receipt is
   * enough.
   */
  readonly owes?: { readonly goods: OwedGoods; readonly plans: 'all' | 'prepaid' };
  /** The only customers that test credentials can pay for. */
  readonly testCustomers: readonly TestCustomer[];
};

/**
 * Ordered by plan, paid in naira at the exchange rate, and queried until its goods arrive. In the
 * interface it is no transaction: it has separate routes, and is not listed with the transactions.
 */
export type OrderRecord = Common & {
  readonly kind: 'order';
  /** It has no networks: its purchases have the product's name as their network. */
  readonly networks: 'own';
  readonly plans: 'giftcard' | 'esim';
  /** The title is the name of its plan. */
  readonly sample: ProductSample & { readonly title: string };
  /** The goods that a success must contain. */
  readonly owes: { readonly goods: OwedGoods; readonly plans: 'all' };
  /** Several can be ordered at once. */
  readonly isCounted: boolean;
  /**
   * The scenario of a test order if neither the order nor its plan names one. Absent: delivered at
   * once.
   */
  readonly testStory?: string;
};

/** The goods that can be owed after a success, by their field name. */
export type OwedGoods = 'token' | 'cards' | 'pins' | 'iccid';

/**
 * The requirements of a bill product before its customer is verified. Each bill product has one of
 * these.
 */
type BillRules = {
  /**
   * The form of a biller's id of a customer. It is wide, since billers differ and the biller
   * decides.
   */
  readonly customerId: RegExp;
  /** The same in words, as the end of "msisdn must be …". */
  readonly customerIdText: string;
  /** The customer's mobile number, beside the id. */
  readonly phone: 'required' | 'optional';
  /**
   * The networks that have customers to verify; absent: all of them. The other networks sell for a
   * mobile number, which is not verified.
   */
  readonly customerNetworks?: readonly string[];
};
