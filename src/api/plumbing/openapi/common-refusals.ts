/**
 * The refusals that every route of a kind can return: any route, those behind a credential, those
 * with a body, and those that store. The texts about fields are made from the route's own schema,
 * as the validator makes them. Pure.
 */
import { isRecord } from '../../../core/json.ts';
import type { RequestFault } from '../../../core/request-fault.ts';
import { unexpectedRefusal } from '../errors.ts';
import { Refusal, refuseForNow } from '../refusal.ts';
import { refusalOf } from '../refusal-of.ts';
import { type NamedRefusal, shown } from './annotations.ts';
import { type DocumentedRoute, isOpen } from './documented-route.ts';
import { memberOf, plain, textsOf } from './json.ts';

const purchaseId = '019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10';

export function commonRefusals(route: DocumentedRoute): readonly NamedRefusal[] {
  return [
    ...fieldRefusals(route),
    ...(route.schema.body === undefined ? [] : ofBodies),
    ...(isOpen(route) ? [] : behindCredential(route)),
    ...(route.creates ? ofCreates(route) : []),
    ...ofAnyRequest(route),
  ];
}

/** An invalid field and, for a body, a missing one. */
function fieldRefusals({ schema, refuseInvalid }: DocumentedRoute): readonly NamedRefusal[] {
  const part = plain(schema.body ?? schema.querystring ?? schema.params);
  const [parentSchema = part] = Array.isArray(part.oneOf) ? part.oneOf.filter(isRecord) : [];
  const properties = memberOf(parentSchema, 'properties');
  const required = textsOf(parentSchema.required);
  const field = required.at(-1) ?? Object.keys(properties)[0];
  if (field === undefined) return [];
  const wrong = {
    keyword: 'type',
    instancePath: `/${field}`,
    params: {},
    parentSchema: memberOf(properties, field),
  };
  const missing = {
    keyword: 'required',
    instancePath: '',
    params: { missingProperty: field },
    parentSchema,
  };
  return [
    shown(`wrong_${field}`, refuseInvalid([wrong], 'body')),
    ...(schema.body !== undefined && required.length > 0
      ? [shown(`missing_${field}`, refuseInvalid([missing], 'body'))]
      : []),
  ];
}

const ofBodies = [
  shown('not_json', new Refusal(400, 'body_not_json', 'The request body is not valid JSON')),
  shown('no_body', new Refusal(400, 'body_missing', 'The request has no body: send a JSON object')),
];

function behindCredential({ method, fieldNames, looksUp }: DocumentedRoute): readonly NamedRefusal[] {
  const isRead = method === 'GET';
  const say = (fault: RequestFault): NamedRefusal =>
    shown(fault.code, refusalOf([fault], fieldNames, { isRead: looksUp }));
  return [
    shown(
      'wrong_credentials',
      new Refusal(
        401,
        'not_authenticated',
        'Missing or invalid credentials: send X-Merchant-Key and X-Merchant-Secret',
      ),
    ),
    shown(
      'wrong_address',
      new Refusal(
        403,
        'address_not_allowed',
        'This credential may not be used from this address: ask your account manager',
      ),
    ),
    shown(
      'unconfirmed_credential',
      new Refusal(
        403,
        'credential_unconfirmed',
        'This credential waits for confirmation after a restore: ask your account manager',
      ),
    ),
    ...(isRead ? [] : [say({ code: 'merchant_suspended' })]),
    shown(
      'too_many_requests',
      new Refusal(429, 'rate_limited', 'Too many requests: the limit is 500 a second', { retryAfterS: 1 }),
    ),
    ...(isRead ? [say({ code: 'look_ups_full' })] : []),
    say({ code: 'database_away' }),
    say({ code: 'requests_full' }),
    shown('unexpected', unexpectedRefusal('k3Jf9a2c-1', { isRead: looksUp })),
  ];
}

function ofCreates({ schema, fieldNames }: DocumentedRoute): readonly NamedRefusal[] {
  const [example] = Object.values(memberOf(plain(schema.body), 'x-examples')).filter(isRecord);
  const reference = String(example?.[fieldNames.reference]);
  const used = { code: 'reference_used', role: 'reference', reference, purchaseId } as const;
  const isTransaction = 'amount' in memberOf(plain(schema.body), 'properties');
  const ofAnother = { differing: [isTransaction ? 'amount' : 'plan'], unknown: [] } as const;
  const say = (name: string, fault: RequestFault): NamedRefusal =>
    shown(name, refusalOf([fault], fieldNames, { isRead: false }));
  return [
    say('reference_used', { ...used, status: 'success', repeat: { differing: [], unknown: [] } }),
    say('reference_used_pending', { ...used, status: 'pending' }),
    say('reference_used_failed', { ...used, status: 'failed' }),
    say('reference_used_for_another', { ...used, status: 'success', repeat: ofAnother }),
    say('no_wallet_to_pay', { code: 'no_wallet_to_pay', currency: 'NGN' }),
    say('outcome_unknown', { code: 'outcome_unknown', reference, purchaseId }),
    say('purchases_full', { code: 'purchases_full' }),
    say('providers_busy', { code: 'providers_busy', freeAfterMs: 2_000 }),
  ];
}

/**
 * Leaves out errors that no operation can return: 405 answers another method, and 408, 417 and 431
 * come before the server knows the route.
 */
function ofAnyRequest({ method, url }: DocumentedRoute): readonly NamedRefusal[] {
  const advice = method === 'GET' ? 'try again' : 'send the request again';
  return [
    ...(url.includes(':')
      ? [shown('wrong_path', new Refusal(400, 'path_malformed', 'The path is not a valid URL path'))]
      : []),
    shown(
      'wrong_query',
      new Refusal(400, 'query_malformed', 'The query string is not valid percent-encoding'),
    ),
    shown('no_host', new Refusal(400, 'host_missing', 'The Host header is missing: HTTP/1.1 requires it')),
    shown('stopping', refuseForNow('stopping', `This server is stopping: ${advice}`)),
  ];
}
