/**
 * Converts an answer of the API into a tool's result, with advice on what an agent should do next.
 */
import { isRecord } from '../../core/json.ts';
import type { Json } from '../plumbing/openapi/json.ts';
import type { Arguments, Tool } from './tool.ts';

/** The answer. Undefined: no answer yet, and the purchase continues. */
export type HttpAnswer = {
  readonly status: number;
  readonly body: unknown;
  readonly retryAfter?: string | undefined;
};

export type ToolResult = { readonly isError: boolean; readonly told: Json };

const ask = 'call get_purchase with the same reference; do not buy again under another one';

/** For a purchase that takes long. */
export function stillPending(reference: string): ToolResult {
  const message = 'The purchase is taking long. It continues, and may succeed';
  return {
    isError: false,
    told: { status: 'pending', reference, message, next: `Wait a little, then ${ask}` },
  };
}

export function toolResult(
  tool: Tool,
  sent: Arguments,
  reference: string,
  { status, body, retryAfter }: HttpAnswer,
  mayBuy: boolean,
): ToolResult {
  const answer = isRecord(body) ? body : {};
  if (status >= 300) return refused(tool, status, answer, reference, retryAfter);
  if (tool.lists === true && Array.isArray(answer.data)) {
    const limit = typeof sent.limit === 'number' ? sent.limit : 20;
    const skip = typeof sent.skip === 'number' ? sent.skip : 0;
    return {
      isError: false,
      told: partOf(answer.data, { limit: Math.max(1, limit), skip: Math.max(0, skip) }),
    };
  }
  const told = asObject(shown(body, { reveal: sent.reveal === true && mayBuy }));
  if (!tool.buys) return { isError: false, told };
  const next = nextOf[String(answer.status)] ?? nextOf.pending;
  return { isError: answer.status === 'failed', told: { ...told, reference, next } };
}

function asObject(value: unknown): Json {
  return isRecord(value) ? value : { result: value };
}

const nextOf: Readonly<Record<string, string>> = {
  success: 'It is bought. Tell the user',
  failed:
    'It failed, and the wallet was not debited. The reference is used up. If the cause can be corrected, buy under a new reference',
  pending: `It is not final yet. Wait a moment, then ${ask}`,
};

function refused(
  tool: Tool,
  status: number,
  answer: Json,
  reference: string,
  retryAfter: string | undefined,
): ToolResult {
  const { reason, message, errors, data } = answer;
  return {
    isError: true,
    told: {
      status: 'error',
      code: status,
      reason,
      message,
      ...(errors !== undefined && { errors }),
      ...(data !== undefined && { purchase: shown(data, { reveal: false }) }),
      ...(tool.buys && { reference }),
      next: tool.buys ? buyingAdvice(status, data, retryAfter) : lookUpAdvice(status, retryAfter),
    },
  };
}

function buyingAdvice(status: number, subject: unknown, retryAfter: string | undefined): string {
  if (status === 422 && subject !== undefined) {
    return `Nothing was bought now: the reference was already used by the purchase that is shown. To see it, ${ask}`;
  }
  if (status === 429 || status === 503) {
    return `Nothing was bought. Wait ${retryAfter ?? 'a few'} seconds, then repeat the call with the same reference`;
  }
  if (status >= 500)
    return `It may have been bought: ${ask}. If it is not found after a minute, repeat this call unchanged`;
  return 'Nothing was bought. Correct the fields in the message, or tell the user';
}

function lookUpAdvice(status: number, retryAfter: string | undefined): string {
  if (status === 429 || status >= 500) return `Wait ${retryAfter ?? 'a few'} seconds and try again`;
  return 'Correct the fields in the message, or tell the user';
}

/**
 * Anyone who knows these values can use the goods. A token of electricity is shown, because it
 * works only on its own meter.
 */
const spendable = new Set(['cards', 'pins', 'activation_code', 'lpa']);
/** The part of a card or a PIN that identifies it. */
const harmless = new Set(['serial', 'expiry']);
const WITHHELD = 'withheld: get_purchase shows it with reveal, where the credential may buy';

const TEXT_MAX = 1_000;
const LIST_MAX = 50;

function shown(value: unknown, { reveal }: { readonly reveal: boolean }): unknown {
  if (typeof value === 'string') {
    return value.length <= TEXT_MAX ? value : `${value.slice(0, TEXT_MAX)}…`;
  }
  if (Array.isArray(value)) return value.slice(0, LIST_MAX).map((item) => shown(item, { reveal }));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      spendable.has(name) && !reveal ? withheld(member) : shown(member, { reveal }),
    ]),
  );
}

function withheld(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withheld);
  if (!isRecord(value)) return WITHHELD;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, harmless.has(name) ? member : WITHHELD]),
  );
}

/** A part of a list, and the length of the whole. */
function partOf(
  items: readonly unknown[],
  { limit = 20, skip = 0 }: { readonly limit?: number; readonly skip?: number },
): Json {
  const part = items.slice(skip, skip + Math.min(limit, LIST_MAX));
  return { total: items.length, skipped: skip, items: part.map((item) => shown(item, { reveal: false })) };
}
