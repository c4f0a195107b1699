/** Nomba's replies: an envelope of code, description and data. */
import { randomUUID } from 'node:crypto';
import type { Order } from '../books.ts';
import { digitsFrom, findCustomer, unitsFor } from '../customers.ts';
import { json, type Reply } from '../http.ts';
import type { Words } from '../misbehave.ts';
import { nairaNumber } from '../naira.ts';

export function refusal(code: string, description: string, status = 400): Reply {
  return json({ code, description }, status);
}

export function good(data: unknown): Reply {
  return json({ code: '00', description: 'Success', data });
}

export const unauthorized = refusal('401', 'Invalid or expired token', 401);

/** Nomba's error replies. */
export const words: Words = {
  odd: { code: '77', description: 'Unexpected', data: {} },
  noAccess: refusal('403', 'Not permitted for this account', 403),
  floatOut: refusal('400', 'INSUFFICIENT_BALANCE'),
  billerDown: refusal('01', 'Biller is not available'),
  unauthorized,
  rateLimited: refusal('429', 'Too many requests', 429),
  stranger: (proper) => {
    const { data } = proper as { readonly data?: object };
    return {
      code: '00',
      description: 'Success',
      data: { ...data, status: 'SUCCESS', merchantTxRef: randomUUID() },
    };
  },
  bareRefusal: refusal('400', 'Request failed.'),
  otherAmount: (proper) => {
    const { data = {} } = proper as { readonly data?: { readonly amount?: number } };
    return { ...(proper as object), data: { ...data, amount: (data.amount ?? 0) / 2 } };
  },
};

/**
 * The reply to an accepted purchase. Airtime and data are only accepted, and a look-up returns
 * their outcome.
 */
export function purchaseReply(order: Order): Reply {
  if (order.status === 'failed') return good({ ...common(order, 'REFUND'), gatewayMessage: REFUSED });
  if (order.product === 'airtime' || order.product === 'data') {
    const { id: _, ...data } = common(order, 'Processing...');
    return json({ code: '202', description: 'Processing', data });
  }
  if (order.status === 'pending') {
    return json({ code: '202', description: 'Processing', data: common(order, 'PENDING_BILLING') });
  }
  const { meta, ...data } = common(order, 'SUCCESS');
  const reply = good({ ...data, meta: { ...meta, ...electricityFields(order) } });
  // The betting envelope has a message too.
  return order.product === 'BETTING' && reply.kind === 'json'
    ? json({ ...(reply.body as object), message: 'Wallet funded' })
    : reply;
}

const REFUSED = 'The biller declined the payment';

function common(order: Order, status: string): Record<string, unknown> & { readonly meta: object } {
  const { id, rrn, type } = order.detail;
  return {
    amount: nairaNumber(order.amount),
    timeCreated: order.acceptedAt.toISOString(),
    type,
    status,
    id,
    fee: '0.00',
    meta: { merchantTxRef: order.reference, rrn, api_client_id: 'simulator', api_account_id: 'simulator' },
  };
}

/** The token is returned only here; one that comes late is never returned. */
function electricityFields(order: Order): Record<string, unknown> {
  if (order.product !== 'ELECTRICITY') return {};
  const customer = findCustomer('ELECTRICITY', order.recipient);
  const { meterType } = order.detail;
  const receipt = { phcnCustomerAddress: customer?.address, meterName: customer?.name, meterType };
  const isToken = meterType === 'prepaid' && order.goodsAt === undefined && customer?.gets !== 'debt cleared';
  return isToken
    ? {
        ...receipt,
        phcnVendToken: digitsFrom(order.reference, 'token'),
        phcnVendUnits: unitsFor(order.amount),
      }
    : receipt;
}

const STATES = { pending: 'PENDING_BILLING', delivered: 'SUCCESS', failed: 'REFUND' } as const;

/** The record that a look-up shows. */
export function recordReply(order: Order): Reply {
  return good(recordOf(order));
}

export function recordOf(order: Order): Record<string, unknown> {
  const { id, type } = order.detail;
  return {
    id,
    status: STATES[order.status],
    amount: nairaNumber(order.amount),
    fixedCharge: 0,
    source: 'api',
    type,
    gatewayMessage: order.status === 'failed' ? REFUSED : 'Approved',
    customerBillerId: order.recipient,
    timeCreated: order.acceptedAt.toISOString(),
    ...(order.movement === undefined
      ? { merchantTxRef: order.reference }
      : {
          type: MOVEMENT_TYPES[order.movement],
          entryType: order.movement === 'top_up' ? 'CREDIT' : 'DEBIT',
        }),
  };
}

const MOVEMENT_TYPES = { top_up: 'vact_transfer', charge: 'charge' } as const;
