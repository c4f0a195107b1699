/**
 * What a bill product asks of a purchase before anybody is asked about the customer. Each product
 * has one of these.
 */
export type BillRules = {
  /**
   * What the biller's id of a customer can look like: wide, for billers differ and the biller has
   * the last word.
   */
  readonly customerId: RegExp;
  /** The same in words, as the end of "msisdn must be …". */
  readonly customerIdText: string;
  /** The customer's mobile number, beside the id. */
  readonly phone: 'required' | 'optional';
  /**
   * The networks that have customers, who are verified; absent where every network has. What the
   * others sell is for a mobile number, and nobody is asked about it.
   */
  readonly customerNetworks?: readonly string[];
};
