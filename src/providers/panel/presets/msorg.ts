/**
 * Django panels. The server makes its own id and ignores ours. It writes its record after it has
 * called the network, calls every airtime order successful, and its administrator turns successes
 * into failures days later. Read from the code of servers.
 */
import { type Lookup, onProvider, type Preset } from './preset.ts';

/** The record by its id, else by the list: the search of some builds fails for airtime. */
function msorgLookup(path: string): Lookup {
  return {
    by_id: { method: 'GET', path: `/api/${path}/{order_id}` },
    list: {
      request: { method: 'GET', path: `/api/${path}/`, query: { page: '{page}' } },
      rows: ['results', '.'],
      at: 'create_date',
      zone_minutes: 60,
      pages: 5,
      window_s: 900,
      skew_s: 60,
    },
  };
}

export const msorg: Preset = {
  auth: { in: 'header', name: 'authorization', value: 'Token {key}' },
  meter_types: { prepaid: '1', postpaid: '2' },
  airtime_kinds: { vtu: 'VTU', share_and_sell: 'Share and Sell' },
  orders: {
    airtime: {
      request: {
        method: 'POST',
        path: '/api/topup/',
        body: {
          network: '{network#}',
          amount: '{amount#}',
          mobile_number: '{phone}',
          Ported_number: true,
          airtime_type: '{airtime_kind}',
        },
      },
      recipient: ['mobile_number'],
      amount: ['amount'],
      // The wallet is debited also for airtime that was never delivered, so the balance proves
      // nothing.
      trust: { success: 'provisional', confirm_by: ['record'], confirm_after_s: 600 },
      lookup: msorgLookup('topup'),
    },
    data: {
      request: {
        method: 'POST',
        path: '/api/data/',
        body: {
          network: '{network#}',
          mobile_number: '{phone}',
          plan: '{plan#}',
          Ported_number: true,
        },
      },
      recipient: ['mobile_number'],
      plan: ['plan'],
      lookup: msorgLookup('data'),
    },
    CABLE: {
      request: {
        method: 'POST',
        path: '/api/cablesub/',
        body: { cablename: '{network#}', cableplan: '{plan#}', smart_card_number: '{recipient}' },
      },
      recipient: ['smart_card_number'],
      plan: ['cableplan'],
      verify: {
        request: {
          method: 'GET',
          path: '/api/validateiuc',
          query: { smart_card_number: '{recipient}', cablename: '{network}' },
        },
        name: ['name'],
        rejected: { field: 'invalid', value: 'true' },
      },
      lookup: msorgLookup('cablesub'),
    },
    ELECTRICITY: {
      request: {
        method: 'POST',
        path: '/api/billpayment/',
        body: {
          disco_name: '{network#}',
          amount: '{amount#}',
          meter_number: '{recipient}',
          MeterType: '{meter_type#}',
        },
      },
      recipient: ['meter_number'],
      amount: ['amount'],
      token: ['token', 'api_response'],
      units: ['units'],
      verify: {
        request: {
          method: 'GET',
          path: '/api/validatemeter',
          query: { meternumber: '{recipient}', disconame: '{network}', mtype: '{meter_type}' },
        },
        name: ['name'],
        address: ['address'],
        rejected: { field: 'invalid', value: 'true' },
      },
      lookup: msorgLookup('billpayment'),
    },
    EDUCATION: {
      request: { method: 'POST', path: '/api/epin/', body: { exam_name: '{network}', quantity: 1 } },
      pins: ['pins', 'pin'],
      serials: ['serials', 'serial'],
    },
  },
  statuses: {
    fields: ['Status'],
    success: ['successful'],
    pending: ['processing', 'pending'],
    failed: ['failed'],
  },
  success_http: [200, 201],
  failed_http: [200, 201],
  duplicates: ['already exist'],
  refusals: [
    ...onProvider([400], 'insufficient balance', 'plan is not available', 'object does not exist'),
    ...onProvider([401], 'invalid token'),
  ],
  reply: {
    id: ['id'],
    message: ['api_response'],
    cost: ['paid_amount'],
    balance_before: ['balance_before'],
    balance_after: ['balance_after'],
  },
  trust: { success: 'provisional', confirm_by: ['balance', 'record'], confirm_after_s: 600 },
  is_reversed_later: true,
  balance: {
    request: { method: 'GET', path: '/api/user/' },
    field: ['user.Account_Balance', 'user.wallet_balance'],
  },
  plans: {
    request: { method: 'GET', path: '/api/network/' },
    lists: { MTN: 'MTN_PLAN', GLO: 'GLO_PLAN', AIRTEL: 'AIRTEL_PLAN', '9MOBILE': '9MOBILE_PLAN' },
    id: 'id',
    name: ['plan', 'plan_type', 'month_validate'],
    price: ['plan_amount'],
    kind: ['plan_type'],
    size: ['plan'],
    validity: ['month_validate'],
  },
};
