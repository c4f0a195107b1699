/**
 * Maps OGDAMS's replies to answers. Pure. `purchase.ts` has the requests. Sources: other people's
 * integrations; its own pages could not be read.
 *
 * The code in the body decides, because the HTTP status sometimes differs from it. Guarantees:
 * success comes only from code 200 with `status: true`, failure only from 424, or from a listed
 * refusal whose text names a field, our key or our balance. Everything else is `unknown`, and so is
 * a refusal that mentions a used reference, because the answer to one is not documented.
 */
import type { Money } from '../../core/money.ts';
import { notSent, type Unknown, unknown, wordsForMerchant } from '../answers.ts';
import type { CallResult } from '../http/call.ts';
import { type Body, isBody, naira, word } from '../http/reply-fields.ts';
import { planFacts, unreadablePlan } from '../plan-facts.ts';
import type { ProviderAnswer, ProviderPlan } from '../provider.ts';

type Verdict = 'success' | 'accepted' | 'failed' | 'refused';

/** The codes in the body. Any other is `unknown`. */
const CODES: ReadonlyMap<string, Verdict> = new Map<string, Verdict>([
  ['200', 'success'],
  ['201', 'accepted'],
  ['202', 'accepted'],
  ['424', 'failed'],
  ['400', 'refused'],
  ['401', 'refused'],
  ['403', 'refused'],
  ['422', 'refused'],
]);

const MEANS_DUPLICATE = /duplicat|already|(?<!not )exist|reference|idempoten/i;
const MEANS_OUR_BALANCE = /insufficient|(?:low|not enough)[ _]+(?:wallet[ _]+)?(?:balance|funds?)/i;
const NAMES_KEY = /\b(?:api|secret)[ _-]?key\b|\btoken\b|unauthenticated|unauthori[sz]ed/i;
const NAMES_FIELD = /\b(?:network|plan)[ _]?id\b|\bphone[ _]?number\b|\bamount\b/i;
const IS_WRONG = /required|invalid|not valid|incorrect|must\b|missing|unknown|not found|does not exist/i;

/** Reads the answer to a purchase. */
export function answerToPurchase(result: CallResult): ProviderAnswer {
  if (result.kind === 'not_sent') return notSent(result);
  const reply = readReply(result);
  if ('kind' in reply) return reply;
  const { code, text, isGood } = reply;
  const evidence = evidenceOf(reply);
  const forMerchant = wordsForMerchant(text);
  switch (CODES.get(code)) {
    case 'success':
      return isGood === true
        ? { ...evidence, ...forMerchant, kind: 'success' }
        : { ...evidence, kind: 'unknown' };
    case 'accepted':
      return { ...evidence, kind: isGood === false ? 'unknown' : 'accepted' };
    case 'failed':
      if (isGood === true || MEANS_DUPLICATE.test(text)) return { ...evidence, kind: 'unknown' };
      return MEANS_OUR_BALANCE.test(text)
        ? { ...evidence, kind: 'failed', fault: 'provider' }
        : { ...evidence, ...forMerchant, kind: 'failed', fault: 'order' };
    case 'refused':
      return isGood === true ? { ...evidence, kind: 'unknown' } : refusal(text, evidence);
    case undefined:
      return { ...evidence, kind: 'unknown' };
  }
}

/** Reads a refusal whose text must name the error. */
function refusal(text: string, evidence: Evidence): ProviderAnswer {
  if (MEANS_DUPLICATE.test(text)) return { ...evidence, kind: 'unknown' };
  if (MEANS_OUR_BALANCE.test(text) || NAMES_KEY.test(text)) {
    return { ...evidence, kind: 'failed', fault: 'provider' };
  }
  return NAMES_FIELD.test(text) && IS_WRONG.test(text)
    ? { ...evidence, telcoMessage: text, kind: 'failed', fault: 'order' }
    : { ...evidence, kind: 'unknown' };
}

/** A readable reply. */
type Reply = {
  readonly code: string;
  /** `status`; undefined for anything but a boolean. */
  readonly isGood: boolean | undefined;
  readonly text: string;
  readonly data: Body;
};

function readReply(result: Exclude<CallResult, { kind: 'not_sent' }>): Reply | Unknown {
  if (result.kind === 'lost') return unknown('no_answer', result.reason);
  const { status, body } = result;
  const isTheirs = status < 300 || (status >= 400 && status < 500);
  const code = isBody(body) ? word(body.code) : undefined;
  if (!isTheirs || !isBody(body) || code === undefined) {
    return unknown(`http_${status}`, `HTTP ${status}, no usable body`);
  }
  const data = isBody(body.data) ? body.data : {};
  return {
    code,
    isGood: typeof body.status === 'boolean' ? body.status : undefined,
    text: word(data.msg) ?? '',
    data,
  };
}

type Evidence = Pick<ProviderAnswer, 'code' | 'message' | 'providerId'>;

function evidenceOf({ code, text, data }: Reply): Evidence {
  const providerId = word(data.ref);
  return {
    code,
    message: `${code}: ${text === '' ? 'no text' : text}`,
    ...(providerId !== undefined && { providerId }),
  };
}

/** Reads the balance in a field, named as `a.b`. Undefined without it. */
export function readBalance(result: CallResult, field: string): Money | undefined {
  if (result.kind !== 'reply' || result.status >= 300) return undefined;
  const value = field
    .split('.')
    .reduce<unknown>(
      (body, name) => (isBody(body) && Object.hasOwn(body, name) ? body[name] : undefined),
      result.body,
    );
  const amount = naira(value);
  return amount === undefined ? undefined : { amount, currency: 'NGN' };
}

/** Reads the plans of a network, by its name in capitals. Undefined without a list. */
export function readPlans(result: CallResult, network: string): readonly ProviderPlan[] | undefined {
  if (result.kind !== 'reply' || result.status >= 300 || !isBody(result.body)) return undefined;
  const { status, data } = result.body;
  const listed = status === true && isBody(data) && Object.hasOwn(data, network) ? data[network] : undefined;
  return Array.isArray(listed) ? listed.flatMap(readPlan) : undefined;
}

/** `telcoPrice` may be missing. `ourPrice` is the account's price. */
function readPlan(item: unknown): readonly ProviderPlan[] {
  const code = isBody(item) ? word(item.planId) : undefined;
  if (!isBody(item) || code === undefined) return [unreadablePlan];
  const name = [item.name, item.type, item.validity].map(word).filter((text) => text !== undefined);
  const price = naira(item.ourPrice);
  return [
    {
      code,
      name: name.join(', ') || code,
      price,
      fixed: true,
      ...(price !== undefined && { cost: price }),
      ...planFacts(word(item.name) ?? '', { kind: word(item.type), validity: word(item.validity) }),
    },
  ];
}
