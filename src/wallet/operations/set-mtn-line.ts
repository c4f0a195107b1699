/** Adds or removes a vending line at MTN whose balance a merchant can look up. */

import { Type } from 'typebox';
import type { ActorOrName } from '../../core/actor.ts';
import { type Environment, environments } from '../../core/environment.ts';
import { OperationError } from '../../core/errors.ts';
import { admins, defineOperation, roles } from '../../core/operation.ts';
import {
  environmentField,
  inputOf,
  merchantField,
  nullableAmount,
  nullableTime,
  oneOf,
  pageFields,
  pageOf,
  text,
} from '../../core/operation-fields.ts';
import { pageOfWhole } from '../../core/page.ts';
import { parseMobileNumber } from '../../core/products/mobile-number.ts';
import type { Tx } from '../../db/database.ts';
import { findByCode, requireMerchant } from '../../merchants/require-merchant.ts';
import type { Acting, Asking } from '../../oversight/log/acting.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import { deleteMtnLine, insertMtnLine, listMtnLines } from '../mtn-line-store.ts';

/** The most lines that one query to a provider can have. */
const LINES_MAX = 50;

type LineOf = { readonly merchantCode: string; readonly environment: Environment; readonly phone: string };

/** Throws OperationError: `no_merchant`, `line_exists`, `too_many_lines`, `phone_malformed`. */
export async function addMtnLine(
  tx: Tx,
  line: LineOf & { readonly clientName: string },
  actor: ActorOrName,
): Promise<{ readonly phone: string }> {
  const phone = readPhone(line.phone);
  const clientName = line.clientName.trim();
  const merchant = await requireMerchant(tx, line.merchantCode);
  const owner = { merchantId: merchant.id, environment: line.environment };
  if ((await listMtnLines(tx, owner)).length >= LINES_MAX) {
    throw new OperationError({ code: 'too_many_lines', max: LINES_MAX });
  }
  if (!(await insertMtnLine(tx, owner, { phone, clientName }))) {
    const { environment } = line;
    throw new OperationError({ code: 'line_exists', merchant: merchant.code, environment, phone });
  }
  await recordOperation(tx, {
    actor,
    action: 'merchant.add_mtn_line',
    subject: `merchant:${merchant.code}`,
    after: { environment: line.environment, phone, client_name: clientName },
  });
  return { phone };
}

/** Throws OperationError: `no_merchant`, `no_line`, `phone_malformed`. */
export async function removeMtnLine(
  tx: Tx,
  line: LineOf,
  actor: ActorOrName,
): Promise<{ readonly phone: string }> {
  const phone = readPhone(line.phone);
  const merchant = await requireMerchant(tx, line.merchantCode);
  const { environment } = line;
  const clientName = await deleteMtnLine(tx, { merchantId: merchant.id, environment }, phone);
  if (clientName === undefined) {
    throw new OperationError({ code: 'no_line', merchant: merchant.code, environment, phone });
  }
  await recordOperation(tx, {
    actor,
    action: 'merchant.remove_mtn_line',
    subject: `merchant:${merchant.code}`,
    before: { environment, phone, client_name: clientName },
  });
  return { phone };
}

function readPhone(text: string): string {
  const phone = parseMobileNumber(text);
  if (phone === undefined) {
    throw new OperationError({ code: 'phone_malformed' });
  }
  return phone;
}

const lineEnvironmentField = oneOf(environments, { default: 'live' });
const phoneField = text('the number of the line, such as 08031234567');

export const addMtnLineOperation = defineOperation({
  name: 'merchant.add_mtn_line',
  kind: 'act',
  summary: 'add a line whose balance a merchant can look up',
  roles: admins,
  route: 'POST /merchants/{merchant}/mtn-lines',
  document: 'operators/merchants.md',
  input: inputOf({
    merchant: merchantField,
    phone: phoneField,
    client_name: text('the name MTN has for its owner, in 1 to 100 characters of plain text'),
    environment: lineEnvironmentField,
  }),
  output: Type.Object({
    merchant: Type.String(),
    environment: environmentField,
    phone: Type.String(),
    client_name: Type.String(),
  }),
  run: async ({ tx, actor }: Acting, { merchant: merchantCode, client_name: clientName, ...line }) => {
    const { environment } = line;
    const { phone } = await addMtnLine(tx, { merchantCode, clientName, ...line }, actor);
    return { merchant: merchantCode, environment, phone, client_name: clientName };
  },
});

export const removeMtnLineOperation = defineOperation({
  name: 'merchant.remove_mtn_line',
  kind: 'act',
  summary: 'remove a line',
  roles: admins,
  route: 'POST /merchants/{merchant}/mtn-lines/{phone}/remove',
  document: 'operators/merchants.md',
  input: inputOf({ merchant: merchantField, phone: phoneField, environment: lineEnvironmentField }),
  output: Type.Object({ merchant: Type.String(), environment: environmentField, phone: Type.String() }),
  run: async ({ tx, actor }: Acting, { merchant: merchantCode, ...line }) => {
    const { phone } = await removeMtnLine(tx, { merchantCode, ...line }, actor);
    return { merchant: merchantCode, environment: line.environment, phone };
  },
});

export const listMtnLinesOperation = defineOperation({
  name: 'merchant.list_mtn_lines',
  kind: 'question',
  summary: "list a merchant's lines, with the balances that a provider last reported",
  roles,
  route: 'GET /merchants/{merchant}/mtn-lines',
  document: 'operators/merchants.md',
  input: inputOf({ merchant: merchantField, environment: lineEnvironmentField, ...pageFields }),
  output: pageOf(
    Type.Object({
      phone: Type.String(),
      client_name: Type.String(),
      balance: nullableAmount,
      balance_at: nullableTime,
    }),
  ),
  run: async ({ sql }: Asking, { merchant: code, environment, limit = 50, cursor }) => {
    const merchant = await findByCode(sql, code);
    const lines = await listMtnLines(sql, { merchantId: merchant.id, environment });
    return pageOfWhole(lines, { limit, cursor }, ({ phone }) => phone);
  },
});
