/** The customer of a bill, as the biller knows the customer. */

/** The facts that a biller reports about a customer, without those it omits. Amounts in kobo. */
export type Customer = {
  /** Empty if the biller knows the customer and has no name. */
  readonly name: string;
  /** Betting: the account's user name. */
  readonly username?: string;
  readonly address?: string;
  readonly minAmount?: bigint;
  readonly maxAmount?: bigint;
  readonly meterNumber?: string;
  readonly arrears?: bigint;
  readonly accountType?: string;
  readonly meterType?: string;
  readonly district?: string;
  readonly businessUnit?: string;
  readonly districtReference?: string;
  readonly tariff?: string;
  readonly currentBouquet?: string;
  /** The provider's own code of that bouquet, comparable with its plan codes. */
  readonly currentBouquetCode?: string;
  /** The price to renew the present bouquet. */
  readonly renewalAmount?: bigint;
  readonly dueDate?: string;
  /** Key change tokens that the meter takes before its next recharge: 20 digits each. */
  readonly kct1?: string;
  readonly kct2?: string;
};

/** The facts about a customer that a merchant may see besides the name. */
export type CustomerFact = Exclude<keyof Customer, 'name' | 'currentBouquetCode' | 'kct1' | 'kct2'>;
