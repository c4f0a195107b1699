/** Gives a merchant a vending line at MTN to look up, or takes it away. */

import { recordOperation } from '../../audit-log/audit-log-store.ts';
import type { Tx } from '../../db/database.ts';
import type { ActorOrName } from '../../kernel/actor.ts';
import type { Environment } from '../../kernel/environment.ts';
import { OperationError } from '../../kernel/errors.ts';
import { requireMerchant } from '../../merchants/require-merchant.ts';
import { parseMobileNumber } from '../../products/mobile-number.ts';
import { deleteMtnLine, insertMtnLine, listMtnLines } from '../mtn-line-store.ts';

const CLIENT_NAME_LENGTH_MAX = 100;
/** As many as a provider may be asked about at once. */
const LINES_MAX = 50;

type LineOf = { readonly merchantCode: string; readonly environment: Environment; readonly phone: string };

/** Throws OperationError: `no_merchant`, `line_exists`, or for what a line cannot be. */
export async function addMtnLine(
  tx: Tx,
  line: LineOf & { readonly clientName: string },
  actor: ActorOrName,
): Promise<{ readonly phone: string }> {
  const phone = readPhone(line.phone);
  const clientName = line.clientName.trim();
  if (clientName === '' || clientName.length > CLIENT_NAME_LENGTH_MAX || /\p{Cc}/u.test(clientName)) {
    throw new OperationError({ code: 'client_name_malformed', lengthMax: CLIENT_NAME_LENGTH_MAX });
  }
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
