/**
 * The errors about the reference, the plan, the amount and the customer of a purchase or an order.
 */
import { formatAmount } from '../../core/money.ts';
import type { RequestFaults } from '../../core/request-fault.ts';
import { outcomeCodes } from './answer.ts';
import { availabilityWords } from './availability-words.ts';
import { at, type Definition, defineError } from './define-error.ts';
import type { FieldNames } from './field-names.ts';
import type { ErrorSubject } from './refusals.ts';
import { repeatFields, repeatMessage } from './repeat-words.ts';

export const purchaseErrors = {
  // The reference.

  reference_used: defineError(
    422,
    'The reference was used before; `data` describes the first purchase and states whether it differs.',
    ({ role, reference, purchaseId, status, repeat }, names) => ({
      message: repeatMessage(repeat, names.plan),
      field: names[role],
      fieldMessage: `${names[role]} must be unique for the merchant`,
      subject: { ...subjectOf(reference, purchaseId, status), ...repeatFields(repeat, names.plan) },
    }),
  ),
  outcome_unknown: defineError(
    500,
    'The purchase may exist and its outcome is not known yet: query its status under the same reference.',
    ({ reference, purchaseId }) => ({
      message: 'The outcome is not known yet. Query the status of this reference. Do not send it again.',
      subject: subjectOf(reference, purchaseId, 'pending'),
    }),
  ),

  // The plan.

  data_plan_missing: defineError(422, 'A purchase of data needs a plan.', ({ role }, names) =>
    at(names[role], 'is required: a plan code from GET /v1/plans/{network}'),
  ),
  data_plan_unknown: defineError(
    400,
    'The network has no data plan with this code.',
    ({ role, network }, names) =>
      at(names[role], `is not a data plan of ${network}. ${listDataPlans(network)}`),
  ),
  data_plan_of_other_network: defineError(
    400,
    'The data plan belongs to another network.',
    ({ role, network, planNetwork }, names) =>
      at(names[role], `is a plan of ${planNetwork}, not of ${network}. ${listDataPlans(network)}`),
  ),
  bill_plan_unknown: defineError(400, 'The network has no bill plan with this code.', (fault, names) =>
    at(
      planField(fault, names),
      `does not name a plan of ${fault.network} for ${fault.product}. ${listBillPlans(fault)}`,
    ),
  ),
  bill_plan_of_other_network: defineError(400, 'The bill plan belongs to another network.', (fault, names) =>
    at(
      planField(fault, names),
      `is a plan of ${fault.planNetwork}, not of ${fault.network}. ${listBillPlans(fault)}`,
    ),
  ),
  bill_plan_of_other_product: defineError(400, 'The bill plan belongs to another product.', (fault, names) =>
    at(
      planField(fault, names),
      `is a plan of ${fault.planProduct}, not of ${fault.product}. ${listBillPlans(fault)}`,
    ),
  ),
  card_not_available: defineError(
    400,
    'The gift card is out of stock or not released yet.',
    (fault, names) => {
      const field = names[fault.role];
      return { message: `${field}: ${availabilityWords(fault)}`, field };
    },
  ),
  plan_above_voucher: defineError(
    400,
    'The plan costs more than the voucher is worth.',
    ({ role, price, value }, names) =>
      at(
        names[role],
        `costs ${formatAmount(price)} naira, more than the voucher of ${formatAmount(value)}. Choose a cheaper plan`,
      ),
  ),

  // The amount.

  amount_not_price: defineError(400, 'The amount differs from the price of the plan.', ({ plan, price }) =>
    at('amount', `must equal the price of ${plan}: ${formatAmount(price)}`),
  ),
  amount_of_no_plan: defineError(400, 'No data plan of the network has this price.', ({ network }) =>
    at('amount', `must be the price of a ${network} data plan. ${listDataPlans(network)}`),
  ),
  amount_not_whole_naira: defineError(400, 'The amount must be whole naira.', () =>
    at('amount', 'must be whole naira here, such as "1000.00"'),
  ),
  amount_below: defineError(400, 'The amount is below the minimum of the plan.', ({ plan, min }) =>
    at('amount', `must be at least ${formatAmount(min)} for ${plan}`),
  ),
  amount_above: defineError(400, 'The amount is above the maximum of the plan.', ({ plan, max }) =>
    at('amount', `must be at most ${formatAmount(max)} for ${plan}`),
  ),
  face_value_out_of_range: defineError(
    400,
    'The face value is outside the limits of the gift card.',
    ({ min, max, currency }) =>
      at('face_value', `must be from ${formatAmount(min)} to ${formatAmount(max)} ${currency}`),
  ),

  // The customer.

  customer_malformed: defineError(
    400,
    'The customer number does not have the form that the network needs.',
    ({ form }) => at('msisdn', `must be ${form}`),
  ),
  number_malformed: defineError(
    400,
    'The network sells for mobile numbers, and `msisdn` is not one.',
    ({ network }) => at('msisdn', `must be a Nigerian mobile number such as "08031234567" for ${network}`),
  ),
  network_without_customers: defineError(400, 'The network has no customers to verify.', ({ network }) => ({
    message: `Customer verification is not available for ${network}.`,
    field: 'network',
  })),
  phone_missing: defineError(422, 'The product needs the mobile number of the customer.', ({ product }) =>
    at('phone', `is required for ${product}: the customer's mobile number`),
  ),
  phone_malformed: defineError(400, 'The phone is not a Nigerian mobile number.', () =>
    at('phone', 'must be a Nigerian mobile number such as "08031234567"'),
  ),

  // Orders.

  /** One message for every cause, so that guessing codes reveals nothing. */
  no_such_voucher: defineError(400, 'The voucher code is invalid or already redeemed.', () => ({
    message: 'Invalid or already redeemed voucher code.',
    field: 'code',
  })),
  channel_not_offered: defineError(
    400,
    'The gateway does not send messages over this channel.',
    ({ channel, offered }) =>
      offered.length === 0
        ? at('send_via', 'is not available: this gateway sends no messages to customers')
        : at('send_via', `must be one of ${offered.join(', ')}: ${channel} is not available`),
  ),
} satisfies { readonly [Code in keyof RequestFaults]?: Definition<Code> };

function subjectOf(reference: string, purchaseId: string, status: keyof typeof outcomeCodes): ErrorSubject {
  return {
    request_id: reference,
    internal_reference: purchaseId,
    status,
    response_code: outcomeCodes[status],
  };
}

function planField({ role }: { readonly role: 'plan' | 'service' }, names: FieldNames): string {
  return role === 'plan' ? names.plan : 'service_id';
}

function listDataPlans(network: string): string {
  return `List plans with GET /v1/plans/${network.toLowerCase()}`;
}

function listBillPlans({ product, network }: { readonly product: string; readonly network: string }): string {
  const path = `/v1/plans/bills/${product.toLowerCase()}`;
  return `List plans with GET ${path}?network=${encodeURIComponent(network)}`;
}
