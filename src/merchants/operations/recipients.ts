/**
 * Saves recipients to buy for them again. They are personal data: lists mask the numbers, a
 * separate operation shows one, and the audit log contains neither person nor number.
 */
import { type Static, Type } from 'typebox';
import { formatRfc3339 } from '../../core/clock.ts';
import { OperationError } from '../../core/errors.ts';
import { isUuid, newId } from '../../core/ids.ts';
import { defineOperation, roles, supporters } from '../../core/operation.ts';
import {
  idField,
  inputOf,
  merchantField,
  oneOf,
  pageFields,
  pageOf,
  text,
  timeOutput,
} from '../../core/operation-fields.ts';
import { pageOfRead } from '../../core/page.ts';
import { hasCustomers } from '../../core/products/bill-recipient.ts';
import { localForm, parseMobileNumber } from '../../core/products/mobile-number.ts';
import { parseMobileNetwork } from '../../core/products/network.ts';
import { isBillProduct, type Product, products } from '../../core/products/product.ts';
import { recordOf } from '../../core/products/registry.ts';
import type { Sql } from '../../db/database.ts';
import type { Acting, Asking } from '../../oversight/log/acting.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import {
  countRecipients,
  deleteRecipient,
  findRecipient,
  listRecipients,
  putRecipient,
  type RecipientRow,
  renameRecipient,
} from '../recipient-store.ts';
import { findByCode, requireMerchant } from '../require-merchant.ts';

/** Per merchant. */
const RECIPIENTS_MAX = 2_000;
/** The last digits that a list shows. */
const SHOWN_DIGITS = 4;

const document = 'merchants/portal.md';
const changers = { roles: ['finance'] } as const;
const nameField = text('a name by which you recognize the recipient');
const named = { merchant: merchantField, recipient: { ...idField, description: 'the id of a recipient' } };

const listedOutput = {
  id: Type.String(),
  name: Type.String(),
  product: oneOf(products),
  network: Type.String(),
  /** The end of the number. */
  hint: Type.String(),
  created_at: timeOutput,
};
const shownOutput = Type.Object({ ...listedOutput, number: Type.String() });

function listed({ id, name, product, network, number, created_at: at }: RecipientRow) {
  const hint = `***${number.slice(-SHOWN_DIGITS)}`;
  return { id, name, product, network, hint, created_at: formatRfc3339(at) };
}

function shown(row: RecipientRow): Static<typeof shownOutput> {
  return { ...listed(row), number: row.number };
}

const listRecipientsOperation = defineOperation({
  name: 'recipient.list',
  kind: 'question',
  summary: "list a merchant's saved recipients by name, with masked numbers",
  roles,
  portal: { roles: ['viewer', 'finance', 'developer'] },
  listsPeople: true,
  route: 'GET /merchants/{merchant}/recipients',
  document,
  input: inputOf({ merchant: merchantField, product: Type.Optional(oneOf(products)), ...pageFields }),
  output: pageOf(Type.Object(listedOutput)),
  run: async ({ sql }: Asking, { merchant, product, limit = 50, cursor }) => {
    const { id } = await findByCode(sql, merchant);
    const after = cursor === undefined ? undefined : readCursor(cursor);
    const rows = await listRecipients(sql, id, { after, limit: limit + 1, product });
    return pageOfRead(rows, limit, (row) => `${row.id}/${row.name}`, listed);
  },
});

const showRecipientOperation = defineOperation({
  name: 'recipient.show',
  kind: 'question',
  summary: 'show a saved recipient with the complete number',
  roles: supporters,
  portal: changers,
  route: 'GET /merchants/{merchant}/recipients/{recipient}',
  document,
  input: inputOf(named),
  output: shownOutput,
  run: async ({ sql }: Asking, { merchant, recipient }) => {
    const { id } = await findByCode(sql, merchant);
    return shown(await requireRecipient(sql, id, recipient));
  },
});

const addRecipientOperation = defineOperation({
  name: 'recipient.add',
  kind: 'act',
  summary: 'save a recipient; if it is already saved, its name is replaced',
  roles: supporters,
  portal: changers,
  withoutStepUp: true,
  route: 'POST /merchants/{merchant}/recipients',
  document,
  input: inputOf({
    merchant: merchantField,
    name: nameField,
    product: oneOf(products),
    network: text('the network or the biller, such as MTN or IKEJA'),
    number: text('a mobile number such as 08031234567, or the number of a meter, smartcard or account'),
  }),
  output: Type.Object({
    ...shownOutput.properties,
    /** False: it was saved already. */
    created: Type.Boolean(),
  }),
  run: async ({ tx, actor }: Acting, { merchant: code, name, product, network: typed, number: entered }) => {
    const { id: merchantId } = await requireMerchant(tx, code);
    const network = networkOf(product, typed);
    const number = numberOf(product, network, entered);
    const fresh = newId();
    const row = { merchant_id: merchantId, id: fresh, name: name.trim(), product, network, number };
    const id = await putRecipient(tx, row);
    const isNew = id === fresh;
    if (isNew && (await countRecipients(tx, merchantId)) > RECIPIENTS_MAX) {
      throw new OperationError({ code: 'recipients_full', max: RECIPIENTS_MAX });
    }
    await recordOperation(tx, {
      actor,
      action: 'recipient.add',
      subject: `recipient:${id}`,
      after: { merchant: code, product, network },
    });
    return { ...shown(await requireRecipient(tx, merchantId, id)), created: isNew };
  },
});

const renameRecipientOperation = defineOperation({
  name: 'recipient.rename',
  kind: 'act',
  summary: 'rename a saved recipient',
  roles: supporters,
  portal: changers,
  withoutStepUp: true,
  route: 'PUT /merchants/{merchant}/recipients/{recipient}',
  document,
  input: inputOf({ ...named, name: nameField }),
  output: Type.Object(listedOutput),
  run: async ({ tx, actor }: Acting, { merchant, recipient, name }) => {
    const { id } = await requireMerchant(tx, merchant);
    if (!(await renameRecipient(tx, id, recipient, name.trim()))) {
      throw new OperationError({ code: 'no_recipient', recipient });
    }
    await recordOperation(tx, { actor, action: 'recipient.rename', subject: `recipient:${recipient}` });
    return listed(await requireRecipient(tx, id, recipient));
  },
});

const removeRecipientOperation = defineOperation({
  name: 'recipient.remove',
  kind: 'act',
  summary: 'remove a saved recipient; its purchases are kept',
  roles: supporters,
  portal: changers,
  withoutStepUp: true,
  route: 'DELETE /merchants/{merchant}/recipients/{recipient}',
  document,
  input: inputOf(named),
  output: Type.Object({ recipient: Type.String() }),
  run: async ({ tx, actor }: Acting, { merchant, recipient }) => {
    const { id } = await requireMerchant(tx, merchant);
    if (!(await deleteRecipient(tx, id, recipient))) {
      throw new OperationError({ code: 'no_recipient', recipient });
    }
    await recordOperation(tx, { actor, action: 'recipient.remove', subject: `recipient:${recipient}` });
    return { recipient };
  },
});

export const recipientOperations = [
  listRecipientsOperation,
  showRecipientOperation,
  addRecipientOperation,
  renameRecipientOperation,
  removeRecipientOperation,
] as const;

/** A cursor of id and name, so that the list continues even after a recipient was removed. */
function readCursor(cursor: string): { readonly id: string; readonly name: string } {
  const [, id, name] = /^([^/]+)\/(.+)$/.exec(cursor) ?? [];
  if (id === undefined || name === undefined || !isUuid(id)) {
    throw new OperationError({ code: 'no_such_cursor', cursor });
  }
  return { id, name };
}

/** Throws OperationError `no_recipient`. */
async function requireRecipient(sql: Sql, merchantId: number, id: string): Promise<RecipientRow> {
  const row = await findRecipient(sql, merchantId, id);
  if (row === undefined) throw new OperationError({ code: 'no_recipient', recipient: id });
  return row;
}

/** Billers are in the catalog, which is checked at the purchase. */
function networkOf(product: Product, typed: string): string {
  if (isBillProduct(product)) return typed.trim();
  const network = parseMobileNetwork(typed.trim());
  if (network === undefined) throw malformed('network', 'MTN, GLO, AIRTEL or 9MOBILE');
  return network;
}

/** Throws OperationError `input_malformed`. */
function numberOf(product: Product, network: string, entered: string): string {
  const number = entered.trim();
  if (isBillProduct(product) && hasCustomers(product, network)) {
    const { customerId, customerIdText } = recordOf(product).customer;
    if (!customerId.test(number)) throw malformed('number', customerIdText);
    return number;
  }
  const mobile = parseMobileNumber(number);
  if (mobile === undefined) throw malformed('number', 'a mobile number such as 08031234567');
  return localForm(mobile);
}

function malformed(field: string, wanted: string): OperationError {
  return new OperationError({ code: 'input_malformed', errors: [{ field, kind: 'wrong', wanted }] });
}
