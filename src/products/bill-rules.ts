/**
 * What a bill product demands of a purchase before its customer is verified. Each bill product has
 * one of these.
 */
export type BillRules = {
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
   * The networks that have customers, who are verified; absent where every network has. What the
   * others sell is for a mobile number, and nobody is asked about it.
   */
  readonly customerNetworks?: readonly string[];
};
