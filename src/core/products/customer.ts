/** The customer of a bill, as the biller knows the customer. */

/** What a biller says of a customer. What the biller does not say is left out. Amounts in kobo. */
export type Customer = {
  /** Empty where the biller knows the customer and has no name. */
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
  /** What the biller would take to renew the present bouquet. */
  readonly renewalAmount?: bigint;
  readonly dueDate?: string;
  /** Key change tokens that the meter takes before its next recharge: 20 digits each. */
  readonly kct1?: string;
  readonly kct2?: string;
};

/** What a merchant can be told of a customer besides the name. */
export type CustomerFact = Exclude<keyof Customer, 'name' | 'currentBouquetCode' | 'kct1' | 'kct2'>;
