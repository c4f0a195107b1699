/** Lists the pending purchases, oldest first, with the reason and the next step. */

import { type Static, Type } from 'typebox';
import { accountField, accountOutput } from '../../../core/account-names.ts';
import { answerOf } from '../../../core/answer.ts';
import { type Clock, parseDuration } from '../../../core/clock.ts';
import { environments } from '../../../core/environment.ts';
import { nullable, nullableText } from '../../../core/nullable.ts';
import { defineOperation, roles } from '../../../core/operation.ts';
import {
  amountOutput,
  durationField,
  inputOf,
  merchantField,
  nullableTime,
  oneOf,
  pageFields,
  pageOf,
  timeOutput,
} from '../../../core/operation-fields.ts';
import type { Asking } from '../../../oversight/log/acting.ts';
import type { ProviderFacts } from '../../../providers/provider.ts';
import { listPendingPurchases, type PendingFilter, type PendingPurchase } from '../pending-list-store.ts';
import { writeCursor } from '../search-cursor.ts';
import { firstIdAt } from '../search-filter.ts';
import { readMerchant, readPlace, readProvider } from './read-search.ts';

/** Why it is not final. */
const whys = [
  /** It waits to be sent, or is being sent for the first time. */
  'not_sent',
  /** A provider certainly did not buy it: it goes to the next one, or to the same one again. */
  'to_be_sent_again',
  /** It was sent, and no answer is stored. */
  'unanswered',
  /** The provider has the order and is processing it. */
  'accepted',
  /** The provider's answer is unclear. */
  'unknown',
  /** The provider does not know the order, perhaps not yet. */
  'not_found',
  /** The provider reported a delivery, and goods are missing. */
  'delivered',
  /** Reports of providers contradict each other. */
  'contradicted',
] as const;

const nexts = ['send', 'ask', 'in_hand', 'nothing'] as const;

const pendingOutput = Type.Object({
  id: Type.String(),
  reference: Type.String(),
  merchant: Type.String(),
  environment: oneOf(environments),
  product: Type.String(),
  network: Type.String(),
  recipient: Type.String(),
  face_value: amountOutput,
  charge: amountOutput,
  created_at: timeOutput,
  age_s: Type.Integer(),
  why: oneOf(whys),
  next: oneOf(nexts),
  next_at: nullableTime,
  flagged_at: nullableTime,
  provider: accountOutput,
  attempt_reference: nullableText,
  attempts: Type.Integer(),
  queries: Type.Integer(),
  last_answer: nullable(
    Type.Object({ kind: Type.String(), code: Type.String(), message: Type.String(), at: timeOutput }),
  ),
});

export const listPendingPurchasesOperation = defineOperation({
  name: 'purchase.pending',
  kind: 'question',
  summary: 'list the purchases that are not final, oldest first, with why and what happens next',
  roles,
  listsPeople: true,
  route: 'GET /purchases/pending',
  document: 'operators/finding.md',
  input: inputOf({
    merchant: Type.Optional(merchantField),
    environment: Type.Optional(oneOf(environments)),
    provider: Type.Optional(accountField('a provider: the one that is waited for')),
    older_than: Type.Optional(durationField),
    flagged: Type.Optional(
      Type.Boolean({ description: 'true for only those that a person must decide', default: false }),
    ),
    ...pageFields,
  }),
  output: pageOf(pendingOutput),
  run: async (
    {
      sql,
      clock,
      providers,
    }: Asking & {
      readonly clock: Clock;
      readonly providers: readonly Pick<ProviderFacts, 'name'>[];
    },
    { limit = 50, cursor, merchant, environment, provider, older_than: olderThan, flagged = false },
  ) => {
    const now = clock.now();
    const filter = {
      ...(merchant !== undefined && { merchantId: await readMerchant(sql, merchant) }),
      ...(environment !== undefined && { environment }),
      ...(provider !== undefined && { provider: readProvider(providers, provider) }),
      ...(flagged && { flagged }),
    };
    // A cursor stays valid for the same text, because the time of the search moves on from page to
    // page.
    const asked = { ...filter, olderThan };
    const after = cursor === undefined ? undefined : readPlace(asked, cursor);
    const page = await listPendingPurchases(
      sql,
      { ...filter, ...agedBelow(olderThan, now) },
      { after, limit },
    );
    return {
      data: page.items.map((purchase) => pendingAnswer(purchase, now)),
      cursor: page.after === undefined ? null : writeCursor(asked, page.after),
    };
  },
});

function agedBelow(olderThan: string | undefined, now: Date): Pick<PendingFilter, 'before'> {
  const ageMs = olderThan === undefined ? undefined : parseDuration(olderThan);
  return ageMs === undefined ? {} : { before: firstIdAt(new Date(now.getTime() - ageMs)) };
}

function pendingAnswer(purchase: PendingPurchase, now: Date): Static<typeof pendingOutput> {
  const { lastKind: kind, lastAt: at } = purchase;
  const next = nextOf(purchase);
  return answerOf(pendingOutput, {
    ...purchase,
    merchant: purchase.merchantCode,
    face_value: purchase.faceValue,
    created_at: purchase.createdAt,
    age_s: Math.max(0, Math.floor((now.getTime() - purchase.createdAt.getTime()) / 1_000)),
    why: whyOf(purchase),
    next,
    next_at: next === 'in_hand' ? null : purchase.dueAt,
    flagged_at: purchase.flaggedAt,
    attempt_reference: purchase.attemptReference,
    last_answer:
      kind === null || at === null
        ? null
        : { kind, code: purchase.lastCode ?? '', message: purchase.lastMessage ?? '', at },
  });
}

function whyOf(purchase: PendingPurchase): (typeof whys)[number] {
  if (purchase.contradictedAt !== null) return 'contradicted';
  if (purchase.delivered) return 'delivered';
  if (purchase.attempts === 0) return 'not_sent';
  if (purchase.step === 'send') return 'to_be_sent_again';
  switch (purchase.lastKind) {
    case null:
      return 'unanswered';
    case 'accepted':
      return 'accepted';
    case 'not_found':
      return 'not_found';
    default:
      return 'unknown';
  }
}

function nextOf({ inHand, dueAt, step }: PendingPurchase): (typeof nexts)[number] {
  if (inHand) return 'in_hand';
  if (dueAt === null) return 'nothing';
  return step === 'send' ? 'send' : 'ask';
}
