/**
 * Sets, lists and removes the rules for updating the catalog from a provider's list without a
 * person.
 */

import { Type } from 'typebox';
import { accountField, accountOutput } from '../../core/account-names.ts';
import { OperationError } from '../../core/errors.ts';
import { parsePercent, percentText } from '../../core/money.ts';
import { nullableText } from '../../core/nullable.ts';
import { defineOperation, roles, treasurers } from '../../core/operation.ts';
import { inputOf, nullableTime, percentField } from '../../core/operation-fields.ts';
import type { Acting, Asking } from '../../oversight/log/acting.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import type { ProviderFacts } from '../../providers/provider.ts';
import { requireProvider } from '../../providers/require-provider.ts';
import { deleteSyncRule, listSyncRules, type SyncRule, upsertSyncRule } from '../sync-rule-store.ts';

const WITHIN_BASIS_POINTS_MAX = 2_000;
const ADDS_MAX = 1_000;

const ruleOutput = Type.Object({
  provider: accountOutput,
  /** The percentage that a price may move by, such as `2.5`. */
  within: Type.String(),
  /** The maximum number of new plans that one comparison adds. */
  adds_max: Type.Integer(),
  /** The last comparison. */
  synced_at: nullableTime,
  /** Prices that it applied, and changes that wait for `catalog.sync` by a person. */
  applied: Type.Integer(),
  waiting: Type.Integer(),
  /** Why it applied nothing, as the code of an error. */
  refusal: nullableText,
});

const setSyncRuleOperation = defineOperation({
  name: 'sync_rule.set',
  kind: 'act',
  summary: "apply a provider's list every 6 hours if prices of data plans change within a limit",
  roles: treasurers,
  route: 'PUT /sync-rules/{provider}',
  document: 'operators/catalog.md',
  input: inputOf({
    provider: accountField('the name of a provider that lists its data plans, as in routes'),
    within: percentField('the maximum change of a price, above 0 and at most 20'),
    adds_max: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: ADDS_MAX,
        description:
          'the most new data plans that one comparison adds, each priced by a price rule from its cost; with more, all wait; default 0',
      }),
    ),
  }),
  output: Type.Object({ provider: accountOutput, within: Type.String(), adds_max: Type.Integer() }),
  run: async (
    { tx, actor, providers }: Acting & { readonly providers: readonly ProviderFacts[] },
    { provider, within, adds_max: addsMax = 0 },
  ) => {
    const basisPoints = parsePercent(within) ?? 0;
    if (basisPoints < 1 || basisPoints > WITHIN_BASIS_POINTS_MAX) {
      const wanted = `a percentage above 0 and at most ${percentText(WITHIN_BASIS_POINTS_MAX)}`;
      throw new OperationError({
        code: 'input_malformed',
        errors: [{ field: 'within', kind: 'wrong', wanted }],
      });
    }
    requireProvider(
      providers.filter(({ isRemoved }) => !isRemoved),
      provider,
    );
    await upsertSyncRule(tx, { provider, within_basis_points: basisPoints, adds_max: addsMax });
    const answer = { provider, within: percentText(basisPoints), adds_max: addsMax };
    await recordOperation(tx, {
      actor,
      action: 'sync_rule.set',
      subject: `provider:${provider}`,
      after: { within: answer.within, adds_max: addsMax },
    });
    return answer;
  },
});

const listSyncRulesOperation = defineOperation({
  name: 'sync_rule.list',
  kind: 'question',
  summary: 'list the providers whose lists are followed by rule, with the changes that wait for a person',
  roles,
  route: 'GET /sync-rules',
  document: 'operators/catalog.md',
  input: inputOf({}),
  output: Type.Object({ data: Type.Array(ruleOutput) }),
  run: async ({ sql }: Asking) => ({ data: (await listSyncRules(sql)).map(ruleAnswer) }),
});

const removeSyncRuleOperation = defineOperation({
  name: 'sync_rule.remove',
  kind: 'act',
  summary: "stop following a provider's list by rule",
  roles: treasurers,
  route: 'DELETE /sync-rules/{provider}',
  document: 'operators/catalog.md',
  input: inputOf({ provider: accountField() }),
  output: Type.Object({ provider: accountOutput }),
  run: async ({ tx, actor }: Acting, { provider }) => {
    if (!(await deleteSyncRule(tx, provider))) throw new OperationError({ code: 'no_such_rule' });
    await recordOperation(tx, { actor, action: 'sync_rule.remove', subject: `provider:${provider}` });
    return { provider };
  },
});

function ruleAnswer(rule: SyncRule) {
  return { ...rule, within: percentText(rule.within_basis_points) };
}

export const syncRuleOperations = [
  setSyncRuleOperation,
  listSyncRulesOperation,
  removeSyncRuleOperation,
] as const;
