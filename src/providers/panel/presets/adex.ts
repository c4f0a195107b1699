/**
 * Laravel panels. A repeated request id is answered like a refusal, and no order can be queried.
 * Read from the code of a server.
 */
import { onOrder, onProvider, type Preset } from './preset.ts';

const adexOrder = { bypass: true, 'request-id': '{reference}' } as const;

export const adex: Preset = {
  auth: { in: 'header', name: 'authorization', value: 'Token {key}' },
  meter_types: { prepaid: 'prepaid', postpaid: 'postpaid' },
  orders: {
    airtime: {
      request: {
        method: 'POST',
        path: '/api/topup/',
        body: {
          network: '{network#}',
          phone: '{phone}',
          amount: '{amount#}',
          plan_type: 'VTU',
          ...adexOrder,
        },
      },
      recipient: ['phone_number'],
      amount: ['amount'],
    },
    data: {
      request: {
        method: 'POST',
        path: '/api/data/',
        body: { network: '{network#}', phone: '{phone}', data_plan: '{plan#}', ...adexOrder },
      },
      recipient: ['phone_number'],
    },
    CABLE: {
      request: {
        method: 'POST',
        path: '/api/cable/',
        body: { cable: '{network#}', iuc: '{recipient}', cable_plan: '{plan#}', ...adexOrder },
      },
      verify: {
        request: {
          method: 'GET',
          path: '/api/cable/cable-validation',
          query: { iuc: '{recipient}', cable: '{network}' },
        },
        name: ['name'],
      },
    },
    ELECTRICITY: {
      request: {
        method: 'POST',
        path: '/api/bill/',
        body: {
          disco: '{network#}',
          meter_number: '{recipient}',
          meter_type: '{meter_type}',
          amount: '{amount#}',
          ...adexOrder,
        },
      },
      token: ['token'],
      verify: {
        request: {
          method: 'GET',
          path: '/api/bill/bill-validation',
          query: { meter_number: '{recipient}', disco: '{network}', meter_type: '{meter_type}' },
        },
        name: ['name'],
      },
    },
    EDUCATION: {
      request: {
        method: 'POST',
        path: '/api/exam',
        body: { exam: '{network#}', quantity: 1, 'request-id': '{reference}' },
      },
      pins: ['pin'],
      serials: ['serial'],
    },
  },
  statuses: { fields: ['status'], success: ['success'], pending: ['process'], failed: ['fail'] },
  success_http: [200, 201],
  // With HTTP 403 a repeated request id is answered "fail" too.
  failed_http: [200, 201],
  duplicates: ['exits before', 'id used', 'id exits', 'already been taken'],
  refusals: [
    ...onProvider(
      [403],
      'insufficient balance',
      'insufficient account',
      'plan not found',
      'plan locked',
      'service locked',
      'daily limit',
      'unable to get network name',
    ),
    ...onOrder([403], 'number blocked', 'this is not a ', 'phone number digits must be 11'),
  ],
  reply: {
    id: ['transid'],
    reference: ['request-id'],
    // `message` is made up by the panel. `response` is the network's.
    message: ['response'],
    cost: [],
    balance_before: ['oldbal'],
    balance_after: ['newbal'],
  },
  trust: { success: 'final', confirm_by: [], confirm_after_s: 600 },
  is_reversed_later: false,
  // The key is not accepted here, and the reply has the key.
  balance: {
    request: { method: 'POST', path: '/api/user' },
    auth: { in: 'header', name: 'authorization', value: 'Basic {login}' },
    field: ['balance'],
  },
};
