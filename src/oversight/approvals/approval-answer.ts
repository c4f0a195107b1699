/** An operation that waits for a second person, as operations return it to one person. */

import { type Static, Type } from 'typebox';
import { answerOf } from '../../core/answer.ts';
import { environments } from '../../core/environment.ts';
import { invariant } from '../../core/errors.ts';
import { nullable, nullableText } from '../../core/nullable.ts';
import { amountOutput, nullableTime, oneOf, timeOutput } from '../../core/operation-fields.ts';
import type { Sql } from '../../db/database.ts';
import {
  type ApprovalRow,
  approvalStates,
  findTokens,
  listControls,
  listPeople,
  type Person,
} from './approval-store.ts';
import { decisionRefusals, isRole, type Looking, refusalOf } from './is-one-person.ts';

/** Names the operations that may wait for a second person, as people read them. */
const titles: Readonly<Record<string, string>> = {
  'catalog.import': 'Change the catalog',
  'deposit.assign': 'Assign a deposit',
  'fx.set': 'Set an exchange rate',
  'guard.set': 'Set a guard',
  'merchant.remove_discount': 'Remove a discount',
  'merchant.set_discount': 'Set a discount',
  'price_list.assign': 'Assign merchants to a price list',
  'price_list.remove_merchants': 'Remove merchants from a price list',
  'price_list.start': 'Start a price list',
  'route.remove': 'Remove a route',
  'route.set': 'Change a route',
  'purchase.provider_refund': "Book a provider's refund",
  'purchase.refund': 'Refund a purchase',
  'purchase.settle': 'Settle a purchase',
  'voucher.issue': 'Issue vouchers',
  'wallet.credit': 'Adjust a wallet balance',
  'wallet.set_floor': 'Set a credit limit',
};

export function titleOf(operation: string): string {
  return titles[operation] ?? operation;
}

const aboutOutput = Type.Object({
  merchant: nullable(Type.Object({ code: Type.String(), name: Type.String() })),
  purchase: nullable(
    Type.Object({
      id: Type.String(),
      reference: Type.String(),
      product: Type.String(),
      network: Type.String(),
      charge: amountOutput,
    }),
  ),
  deposit: nullable(
    Type.Object({ id: Type.String(), provider: Type.String(), provider_reference: Type.String() }),
  ),
  /** The name of a price list. */
  price_list: nullableText,
  environment: nullable(oneOf(environments)),
  /** The amount given away, negative if taken; null: nothing, or an unknown amount. */
  amount: nullableText,
  currency: nullableText,
  /** The same in naira, at the rate of that moment; null if there was no rate. */
  naira: nullableText,
});

export type About = Static<typeof aboutOutput>;

const personOutput = Type.Object({
  name: Type.String(),
  /** Null: a token, or a user of the machine. */
  email: nullableText,
  roles: Type.Array(Type.String()),
});

export const approvalOutput = Type.Object({
  id: Type.String(),
  operation: Type.String(),
  /** The operation as people read it, such as "Refund a purchase". */
  title: Type.String(),
  state: oneOf(approvalStates),
  /** The subject of the operation. Null if it was not stored. */
  about: nullable(aboutOutput),
  /** The operation that runs once the request is approved. */
  input: Type.Record(Type.String(), Type.Unknown()),
  asked_by: Type.String(),
  asked_principal: Type.String(),
  asker: personOutput,
  asked_at: timeOutput,
  expires_at: timeOutput,
  /** Whether the caller can approve the request, and the error code if not. */
  may_decide: Type.Boolean(),
  refusal: nullable(oneOf(decisionRefusals)),
  decided_by: nullableText,
  decided_principal: nullableText,
  decider: nullable(personOutput),
  decided_at: nullableTime,
  /** Why it was rejected. */
  reason: nullableText,
  /** The output of the operation. */
  output: Type.Unknown(),
});

export type ApprovalAnswer = Static<typeof approvalOutput>;

/** Also the people who may approve it. */
export const shownApprovalOutput = Type.Object({
  ...approvalOutput.properties,
  deciders: Type.Array(personOutput),
});

export async function answerApprovals(
  sql: Sql,
  rows: readonly ApprovalRow[],
  { looker, rolesOf }: Looking,
): Promise<ApprovalAnswer[]> {
  const controls = await listControls(sql);
  const people = await readPeople(sql, rows);
  return rows.map((row) => {
    const refusal = refusalOf(row, looker, controls, rolesOf) ?? null;
    const { decided_by: decider, decided_principal: principal } = row;
    return answerOf(approvalOutput, {
      ...row,
      title: titleOf(row.operation),
      asker: personOf(people, row.asked_principal, row.asked_by),
      may_decide: refusal === null,
      refusal,
      decider: decider === null || principal === null ? null : personOf(people, principal, decider),
    });
  });
}

export async function answerApproval(sql: Sql, row: ApprovalRow, looking: Looking): Promise<ApprovalAnswer> {
  const [answer] = await answerApprovals(sql, [row], looking);
  invariant(answer !== undefined, 'each row has its answer');
  return answer;
}

/** Lists the users who can approve the request. A token can as well, and is not listed. */
export async function listDeciders(
  sql: Sql,
  approval: Pick<ApprovalRow, 'state' | 'operation' | 'asked_principal' | 'asked_at'>,
  rolesOf: Looking['rolesOf'],
): Promise<readonly Person[]> {
  const controls = await listControls(sql);
  const people = await listPeople(sql);
  return people.filter(({ principal, roles, is_active: isActive }) => {
    const decider = { principal, roles: roles.filter(isRole) };
    return isActive && refusalOf(approval, decider, controls, rolesOf) === undefined;
  });
}

export function personAnswer({ name, email, roles }: Person): Static<typeof personOutput> {
  return { name, email, roles: [...roles] };
}

async function readPeople(sql: Sql, rows: readonly ApprovalRow[]): Promise<ReadonlyMap<string, Person>> {
  const principals = rows.flatMap((row) => [row.asked_principal, row.decided_principal ?? '']);
  const tokens = principals.flatMap((principal) => /^token:(\S+) \(/.exec(principal)?.[1] ?? []);
  const people = [...(await listPeople(sql)), ...(await findTokens(sql, tokens))];
  return new Map(people.map((person) => [idOf(person.principal), person]));
}

/** Returns the current names of users. A deleted user keeps the name in the request. */
function personOf(
  people: ReadonlyMap<string, Person>,
  principal: string,
  name: string,
): Static<typeof personOutput> {
  const person = people.get(idOf(principal));
  return person === undefined ? { name, email: null, roles: [] } : personAnswer(person);
}

/** Without parts that may change: an address, or the name of a token. */
function idOf(principal: string): string {
  return principal.split(' ', 1)[0] ?? principal;
}
