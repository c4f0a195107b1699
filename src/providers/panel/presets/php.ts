/**
 * The PHP script. It answers a failure with HTTP 400, returns no token of a meter, and no order can
 * be queried. Read from the code of the script.
 */
import { onOrder, onProvider, type Preset } from './preset.ts';

const phpOrder = { ref: '{reference}' } as const;

export const php: Preset = {
  auth: { in: 'header', name: 'authorization', value: 'Token {key}' },
  meter_types: { prepaid: 'prepaid', postpaid: 'postpaid' },
  orders: {
    airtime: {
      request: {
        method: 'POST',
        path: '/api/airtime/',
        body: {
          network: '{network}',
          phone: '{phone}',
          amount: '{amount}',
          ported_number: 'true',
          airtime_type: 'VTU',
          ...phpOrder,
        },
      },
    },
    data: {
      request: {
        method: 'POST',
        path: '/api/data/',
        body: {
          network: '{network}',
          phone: '{phone}',
          data_plan: '{plan}',
          ported_number: 'true',
          ...phpOrder,
        },
      },
    },
    CABLE: {
      request: {
        method: 'POST',
        path: '/api/cabletv/',
        body: { provider: '{network}', iucnumber: '{recipient}', plan: '{plan}', ...phpOrder },
      },
      verify: {
        request: {
          method: 'POST',
          path: '/api/cabletv/verify/',
          body: { provider: '{network}', iucnumber: '{recipient}' },
        },
        name: ['Customer_Name', 'name'],
      },
    },
    EDUCATION: {
      request: {
        method: 'POST',
        path: '/api/exam/',
        body: { provider: '{network}', quantity: '1', ...phpOrder },
      },
      pins: ['pins', 'pin'],
    },
  },
  // Refusals have `status` only.
  statuses: {
    fields: ['Status'],
    success: ['successful'],
    pending: ['processing', 'pending'],
    failed: ['failed'],
  },
  success_http: [200, 201],
  // HTTP 400 also reports a lost answer or an undecided order of the panel's upstream as failed.
  failed_http: [200],
  duplicates: ['already exist', 'possible transaction duplicate'],
  refusals: [
    ...onProvider([400], 'insufficient balance', 'is not available at the moment', 'network id is invalid'),
    ...onProvider([401], 'authorization token'),
    ...onOrder([400], 'minimum airtime you can purchase', 'maximum airtime you can purchase'),
  ],
  reply: { id: [], message: ['msg'], cost: [], balance_before: [], balance_after: [] },
  trust: { success: 'final', confirm_by: [], confirm_after_s: 600 },
  is_reversed_later: false,
  balance: { request: { method: 'POST', path: '/api/user/' }, field: ['balance'] },
};
