/** Gives a merchant a vending line at MTN to look up, or takes it away. */

import { recordOperation } from '../../audit-log/audit-log-store.ts';
import type { Tx } from '../../db/database.ts';
import type { Environment } from '../../kernel/environment.ts';
import { GatewayError, invalidField } from '../../kernel/errors.ts';
import { requireMerchant } from '../../merchants/require-merchant.ts';
import { parseMobileNumber } from '../../products/mobile-number.ts';
import { deleteMtnLine, insertMtnLine, listMtnLines } from '../mtn-line-store.ts';

const CLIENT_NAME_LENGTH_MAX = 100;
/** As many as a provider may be asked about at once. */
const LINES_MAX = 50;

type LineOf = { readonly merchantCode: string; readonly environment: Environment; readonly phone: string };

/**
 * Throws GatewayError: `not_found` for the merchant, `invalid` for a number or name of the wrong
 * form and for too many lines, `duplicate` for a line it has.
 */
export async function addMtnLine(
  tx: Tx,
  line: LineOf & { readonly clientName: string },
  actor: string,
): Promise<{ readonly phone: string }> {
  const phone = readPhone(line.phone);
  const clientName = line.clientName.trim();
  if (clientName === '' || clientName.length > CLIENT_NAME_LENGTH_MAX || /\p{Cc}/u.test(clientName)) {
    throw invalidField(
      'client_name',
      `the client name must be 1 to ${CLIENT_NAME_LENGTH_MAX} characters of plain text`,
    );
  }
  const merchant = await requireMerchant(tx, line.merchantCode);
  const owner = { merchantId: merchant.id, environment: line.environment };
  if ((await listMtnLines(tx, owner)).length >= LINES_MAX) {
    throw invalidField('phone', `a merchant can have ${LINES_MAX} lines at most`);
  }
  if (!(await insertMtnLine(tx, owner, { phone, clientName }))) {
    throw new GatewayError('duplicate', `${merchant.code} has the line ${phone} in ${line.environment}`);
  }
  await recordOperation(tx, {
    actor,
    action: 'merchant.add_mtn_line',
    subject: `merchant:${merchant.code}`,
    after: { environment: line.environment, phone, client_name: clientName },
  });
  return { phone };
}

/**
 * Throws GatewayError: `not_found` for the merchant or the line, `invalid` for a number of the
 * wrong form.
 */
export async function removeMtnLine(
  tx: Tx,
  line: LineOf,
  actor: string,
): Promise<{ readonly phone: string }> {
  const phone = readPhone(line.phone);
  const merchant = await requireMerchant(tx, line.merchantCode);
  const { environment } = line;
  const clientName = await deleteMtnLine(tx, { merchantId: merchant.id, environment }, phone);
  if (clientName === undefined) {
    throw new GatewayError('not_found', `${merchant.code} has no line ${phone} in ${environment}`);
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
    throw invalidField('phone', 'phone must be a Nigerian mobile number such as 08031234567');
  }
  return phone;
}
