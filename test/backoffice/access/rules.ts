/**
 * The access rules in plain words. They are written by hand, independent of the registries. The
 * test fails if an operation's roles change without these rules, or if no rule names an operation.
 * The first matching rule counts.
 */
import type { MerchantRole, Role } from '../../../src/core/operation.ts';

const everybody: readonly Role[] = ['viewer', 'support', 'finance', 'admin'];
const support: readonly Role[] = ['support', 'admin'];
const finance: readonly Role[] = ['finance', 'admin'];
const both: readonly Role[] = ['support', 'finance', 'admin'];
const admin: readonly Role[] = ['admin'];

/** The roles of operators. */
export const operatorRules: readonly (readonly [rule: string, names: RegExp, roles: readonly Role[]])[] = [
  ['People, tokens and sessions are the admins’', /^(?:user|token|session|key\.rotate|person)\b/, admin],
  [
    'Support helps a merchant’s people to get in',
    /^team\.(?:list|list_sessions|suspend|resume|end_sessions)$/,
    support,
  ],
  ['The audit log is not for viewers', /^audit_log\.(?:list|verify)$/, both],
  ['It is taken out by finance', /^audit_log\.export$/, finance],
  ['Purchases in doubt are asked about and settled by both', /^purchase\.(?:query|settle)$/, both],
  [
    'Goods are shown and added by support',
    /^(?:purchase\.(?:reveal_goods|goods)|order\.goods|merchant_purchase\.reveal)$/,
    support,
  ],
  ['Receipts are given by support', /^receipt\.(?:link|send|revoke)$/, support],
  ['Saved recipients are shown and kept by support', /^recipient\.(?:show|add|rename|remove)$/, support],
  [
    'Money moves by finance',
    /^(?:wallet\.(?:credit|set_floor)|deposit\.assign|voucher\.(?:issue|cancel|cancel_issue)|purchase\.(?:refund|provider_refund)|float\.(?:top_up|charge|set_alarm))$/,
    finance,
  ],
  [
    'So do prices',
    /^(?:merchant\.(?:set|remove)_discount|guard\.set|fx\.set|catalog\.(?:import|sync)|(?:price|sync)_rule\.(?:set|remove)|price_list\.(?:create|add_version|start|withdraw|archive|assign|remove_merchants))$/,
    finance,
  ],
  [
    'So do days and comparisons with providers',
    /^(?:day\.close|reconciliation\.run|finding\.(?:enter|dismiss))$/,
    finance,
  ],
  [
    'Both stop a merchant, a provider or a batch',
    /^(?:merchant\.(?:suspend|resume)|provider\.(?:pause|test)|batch\.(?:pause|stop))$/,
    both,
  ],
  ['Both decide what waits for a second person', /^approval\.(?:approve|reject)$/, both],
  ['Both set an alert on a wallet', /^wallet\.set_alert$/, both],
  [
    'Deliveries and webhooks are sent again by support',
    /^(?:delivery\.retry|webhook\.(?:disable|enable|replay|replay_delivery|test))$/,
    support,
  ],
  [
    'Support tries a purchase or a deposit for a merchant, with its test key',
    /^(?:merchant_purchase|deposit)\.try$/,
    support,
  ],
  ['Both open an account that a merchant pays into', /^funding\.open$/, both],
  ['Support acknowledges alarms', /^alarm\.acknowledge$/, support],
  [
    'All else that changes something is the admins’',
    /^(?:shop\.set|merchant_purchase\.(?:quote|buy)|batch\.(?:create|start)|merchant\.(?:create|enable_product|disable_product|add_mtn_line|remove_mtn_line)|credential\.(?:issue|set_caps|rotate|revoke|confirm)|wallet\.open|funding\.(?:enable|disable|reveal_document|replace_document|forget_documents)|provider\.(?:add|rename|remove|resume|set_credentials|restore_credentials)|webhook\.(?:create|change|delete|rotate)|route\.(?:set|remove)|backup\.record|restore\.(?:lock|open)|team\.(?:invite|set_roles|reset))$/,
    admin,
  ],
  [
    'Everybody may look',
    /^(?:audit\.run|books\.(?:export|balance)|catalog\.(?:export|history|list)|work\.count|report\.show|reconciliation\.(?:list|show|mapping)|restore\.status|finding\.list|deposit\.(?:list|show|total|credited)|funding\.(?:show|account)|purchase\.(?:list|pending|show|webhooks)|wallet\.(?:show|statement|entries|alerts)|webhook\.(?:list|show|deliveries|show_delivery)|merchant\.(?:list|show|list_mtn_lines)|(?:provider|voucher|float|day|merchant_purchase|approval|task)\.(?:list|show)|batch\.(?:list|show|rows)|merchant_purchase\.complaint|shop\.show|approval\.count|day\.sales|provider\.success|credential\.list_unconfirmed|price_list\.(?:list|show|preview|preview_sales)|(?:price|price_rule|sync_rule|recipient|credential|guard|balance|delivery|key|route|fx|alarm)\.list)$/,
    everybody,
  ],
];

/** For merchants' users except owners, who may do everything here. Other operations are closed. */
export const portalRules: readonly (readonly [
  rule: string,
  names: RegExp,
  roles: readonly MerchantRole[],
])[] = [
  [
    'The owner decides who is in the team',
    /^team\.(?:invite|set_roles|suspend|resume|reset|list_sessions|end_sessions)$/,
    [],
  ],
  ['The owner decides how the shop appears', /^shop\.set$/, []],
  [
    'Developers have keys and webhooks',
    /^(?:credential\.(?:issue|set_caps|rotate|revoke)|webhook\.(?:create|change|delete|rotate|disable|enable|replay|replay_delivery|test))$/,
    ['developer'],
  ],
  ['They try purchases and deposits with a test key', /^(?:merchant_purchase|deposit)\.try$/, ['developer']],
  ['Finance opens an account to pay into', /^funding\.open$/, ['finance']],
  ['Viewers see webhooks', /^webhook\.(?:list|show|deliveries|show_delivery)$/, ['viewer', 'developer']],
  [
    'Finance buys, and keeps recipients',
    /^(?:batch\.(?:create|start|pause|stop)|merchant_purchase\.(?:quote|buy)|recipient\.(?:show|add|rename|remove))$/,
    ['finance'],
  ],
  [
    'Money in and out is for finance and viewers',
    /^(?:wallet\.entries|funding\.account|deposit\.credited|voucher\.(?:list|show))$/,
    ['viewer', 'finance'],
  ],
  [
    'Codes and tokens that were bought are shown to finance and developers',
    /^(?:merchant_purchase\.reveal|receipt\.(?:link|send|revoke)|wallet\.set_alert)$/,
    ['finance', 'developer'],
  ],
  [
    'All see purchases, batches, keys, prices, the wallet and the team',
    /^(?:merchant_purchase\.(?:list|show|complaint)|recipient\.list|shop\.show|batch\.(?:list|show|rows)|credential\.list|price\.list|wallet\.(?:show|alerts)|team\.list)$/,
    ['viewer', 'finance', 'developer'],
  ],
];

/** Operations for which console and portal require the password again. */
const stepUpRule = {
  rule: 'All that changes something, but what only stops, asks, tries, sends again or gives a receipt; and the audit log as a file',
  /** Operations that need no role. */
  exceptions:
    /^(?:wallet\.set_alert|alarm\.acknowledge|provider\.(?:pause|test)|purchase\.query|(?:merchant_purchase|deposit)\.try|delivery\.retry|receipt\.(?:link|send|revoke)|batch\.(?:create|pause|stop)|recipient\.(?:add|rename|remove)|webhook\.(?:test|replay|replay_delivery)|approval\.reject|session\.end|team\.end_sessions|restore\.lock)$/,
  questions: /^audit_log\.export$/,
};

export function needsStepUp({ kind, name }: { readonly kind: string; readonly name: string }): boolean {
  return kind === 'question' ? stepUpRule.questions.test(name) : !stepUpRule.exceptions.test(name);
}

export const fileRule = {
  rule: 'Lists that name customers or people',
  names:
    /^(?:purchase\.(?:list|pending)|merchant_purchase\.list|recipient\.list|batch\.rows|delivery\.list|deposit\.list|approval\.list|audit_log\.(?:list|export)|user\.list|team\.list|session\.list|team\.list_sessions)$/,
};

/** For the merchants' API: every other path needs a credential. */
export const openPaths: readonly (readonly [rule: string, path: RegExp])[] = [
  ['Whether the gateway works', /^\/(?:v1\/healthz|readyz)$/],
  ['The document of the API and its pages', /^\/(?:openapi\.json|docs(?:\/.*)?)$/],
];
export const signedPath = /^\/hooks\/:provider$/;
/** Only a test credential may use them. */
export const testPaths = /^\/v1\/test\//;

/** The paths of the console and the portal besides operations. */
export type ConsoleNeed = 'nobody' | 'a half-open session' | 'a session' | 'a stepped-up session';

export const consoleRules: Readonly<Record<string, ConsoleNeed>> = {
  'GET /api/session': 'a session',
  'POST /api/sign-out': 'nobody',
  'GET /api/sessions': 'a session',
  'POST /api/sessions/end': 'a session',
  'POST /api/step-up/passkey/options': 'a session',
  'POST /api/step-up': 'a session',
  'POST /api/sign-in': 'nobody',
  'POST /api/sign-in/code': 'a half-open session',
  'POST /api/sign-in/passkey/options': 'nobody',
  'POST /api/sign-in/passkey': 'nobody',
  'POST /api/sign-in/link': 'nobody',
  'POST /api/links/look': 'nobody',
  'POST /api/links/accept': 'nobody',
  'POST /api/forgotten': 'nobody',
  'POST /api/second-factor/totp/begin': 'a stepped-up session',
  'POST /api/second-factor/totp/confirm': 'a stepped-up session',
  'POST /api/second-factor/totp/remove': 'a stepped-up session',
  'POST /api/second-factor/passkeys/begin': 'a stepped-up session',
  'POST /api/second-factor/passkeys/confirm': 'a stepped-up session',
  'POST /api/second-factor/passkeys/remove': 'a stepped-up session',
  'POST /api/second-factor/recovery-codes': 'a stepped-up session',
  'POST /api/password': 'a stepped-up session',
  'GET /api/live': 'a session',
};
