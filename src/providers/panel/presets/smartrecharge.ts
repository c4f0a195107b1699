/**
 * Panels that are called by GET with the key in the query. Read from the code of clients: the
 * fields of texts, costs and the balance are not confirmed.
 */
import type { Lookup, Preset } from './preset.ts';

const smartStatus: Lookup = {
  by_id: {
    method: 'GET',
    path: '/api/v2/airtime/',
    query: { order_id: '{order_id}', task: 'check_status' },
  },
  // Some panels answer 1986 before the order is delivered, and only the text tells.
  statuses: {
    fields: ['error_code', 'data.text_status'],
    success: ['1986', 'completed', 'successful', 'success', 'delivered'],
    pending: ['1981', 'received', 'pending', 'processing'],
    failed: [],
  },
};

export const smartrecharge: Preset = {
  auth: { in: 'query', name: 'api_key', value: '{key}' },
  orders: {
    airtime: {
      request: {
        method: 'GET',
        path: '/api/v2/airtime/',
        query: { product_code: '{network}', phone: '{phone}', amount: '{amount}' },
      },
      lookup: smartStatus,
    },
    data: {
      request: {
        method: 'GET',
        path: '/api/v2/datashare/',
        query: { product_code: '{plan}', phone: '{phone}' },
      },
      lookup: {
        ...smartStatus,
        by_id: {
          method: 'GET',
          path: '/api/v2/datashare/',
          query: { order_id: '{order_id}', task: 'check_status' },
        },
      },
    },
  },
  // 1986 means that the order was accepted, or that it was delivered. Only a look-up shows which.
  statuses: { fields: ['error_code'], success: [], pending: ['1986', '1981'], failed: [] },
  success_http: [200],
  failed_http: [200],
  duplicates: [],
  refusals: [],
  reply: {
    id: ['data.recharge_id'],
    message: ['data.text_status'],
    cost: ['data.amount_charged'],
    balance_before: [],
    balance_after: [],
  },
  trust: { success: 'final', confirm_by: [], confirm_after_s: 600 },
  is_reversed_later: false,
  balance: {
    request: { method: 'GET', path: '/api/v2/others/get_balance/' },
    field: ['data.balance', 'balance'],
  },
};
