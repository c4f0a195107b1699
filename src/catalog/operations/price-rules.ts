/** Sets, lists and removes the rules by which prices follow the costs that providers list. */
import { type Static, Type } from 'typebox';
import { answerOf } from '../../core/answer.ts';
import { OperationError } from '../../core/errors.ts';
import { parseAmount, parsePercent, percentText } from '../../core/money.ts';
import { defineOperation, roles, treasurers } from '../../core/operation.ts';
import {
  amountOrNoneField,
  amountOutput,
  inputOf,
  oneOf,
  percentField,
  text,
} from '../../core/operation-fields.ts';
import { data } from '../../core/products/data.ts';
import { dataKinds } from '../../core/products/plan-kind.ts';
import type { Sql } from '../../db/database.ts';
import type { Acting, Asking } from '../../oversight/log/acting.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import { findKind } from '../find-kind.ts';
import { findNetwork } from '../find-network.ts';
import type { PriceRule, PriceRulePlace } from '../margins/price-rule.ts';
import { deletePriceRule, listPriceRules, upsertPriceRule } from '../margins/price-rule-store.ts';

const place = {
  network: text("a mobile network, or '*' for every network without a rule of its own"),
  kind: Type.Optional(
    oneOf(dataKinds, { description: 'a kind of data plans; absent, every kind without its own rule' }),
  ),
};

const ruleOutput = Type.Object({
  product: Type.String(),
  network: Type.String(),
  /** `*`: every kind without a specific rule. */
  kind: Type.String(),
  /** Above the cost, such as `2.5`. */
  percent: Type.String(),
  markup: amountOutput,
  round_to: amountOutput,
});

const setPriceRuleOperation = defineOperation({
  name: 'price_rule.set',
  kind: 'act',
  summary: 'set how prices of data plans follow the cost that a provider lists, at the next sync',
  roles: treasurers,
  route: 'PUT /price-rules/{network}',
  document: 'operators/catalog.md',
  input: inputOf({
    ...place,
    percent: percentField('of the cost, added to it'),
    markup: Type.Optional({ ...amountOrNoneField, description: 'naira that are added in addition' }),
    round_to: Type.Optional({
      ...amountOrNoneField,
      description: 'prices are rounded up to a multiple of this many naira, such as 5; absent, to the kobo',
    }),
  }),
  output: ruleOutput,
  run: async ({ tx, actor }: Acting, { percent, ...input }) => {
    const rule = {
      ...(await readPlace(tx, input)),
      markupBasisPoints: parsePercent(percent) ?? 0,
      markup: parseAmount(input.markup ?? '') ?? 0n,
      roundTo: parseAmount(input.round_to ?? '') ?? 1n,
    };
    await upsertPriceRule(tx, rule);
    const answer = ruleAnswer(rule);
    await recordOperation(tx, {
      actor,
      action: 'price_rule.set',
      subject: subjectOf(rule),
      after: { ...answer },
    });
    return answer;
  },
});

const listPriceRulesOperation = defineOperation({
  name: 'price_rule.list',
  kind: 'question',
  summary: 'list the rules by which prices follow costs; without a rule, a sync takes the listed price',
  roles,
  route: 'GET /price-rules',
  document: 'operators/catalog.md',
  input: inputOf({}),
  output: Type.Object({ data: Type.Array(ruleOutput) }),
  run: async ({ sql }: Asking) => ({ data: (await listPriceRules(sql)).map(ruleAnswer) }),
});

const removePriceRuleOperation = defineOperation({
  name: 'price_rule.remove',
  kind: 'act',
  summary: 'remove a price rule; prices are unchanged until the next sync',
  roles: treasurers,
  route: 'DELETE /price-rules/{network}',
  document: 'operators/catalog.md',
  input: inputOf(place),
  output: Type.Object({ product: Type.String(), network: Type.String(), kind: Type.String() }),
  run: async ({ tx, actor }: Acting, input) => {
    const found = await readPlace(tx, input);
    if (!(await deletePriceRule(tx, found))) throw new OperationError({ code: 'no_such_rule' });
    await recordOperation(tx, { actor, action: 'price_rule.remove', subject: subjectOf(found) });
    return found;
  },
});

async function readPlace(
  sql: Sql,
  { network, kind }: { readonly network: string; readonly kind?: (typeof dataKinds)[number] | undefined },
): Promise<PriceRulePlace> {
  return {
    product: data.name,
    network: network === '*' ? network : await findNetwork(sql, data.name, network),
    kind: findKind(data.name, kind),
  };
}

function subjectOf({ product, network, kind }: PriceRulePlace): string {
  return `price_rule:${product}:${network}:${kind}`;
}

function ruleAnswer(rule: PriceRule): Static<typeof ruleOutput> {
  const percent = percentText(rule.markupBasisPoints);
  return answerOf(ruleOutput, { ...rule, percent, round_to: rule.roundTo });
}

export const priceRuleOperations = [
  setPriceRuleOperation,
  listPriceRulesOperation,
  removePriceRuleOperation,
] as const;
