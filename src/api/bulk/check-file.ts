/**
 * Validates a file of purchases, row by row, with the schema, the rules and the prices of single
 * purchases.
 *
 * Guarantees: a file is priced only if every row could be bought by itself. Nothing is stored.
 */
import { Ajv, type ValidateFunction } from 'ajv';
import { runYielding, type Steps } from '../../core/cooperative-yield.ts';
import { GatewayError } from '../../core/errors.ts';
import type { Principal } from '../../merchants/merchant.ts';
import type { Head, PricedRow } from '../../purchases/batches/batch.ts';
import type { PricedFile, RowFault, UnfitFile } from '../../purchases/batches/change-batch.ts';
import type { Purchases } from '../../purchases/purchases.ts';
import type { ServerDependencies } from '../dependencies.ts';
import { purchaseFieldNames } from '../plumbing/field-names.ts';
import { Refusal, refuseField } from '../plumbing/refusal.ts';
import { refusalOf } from '../plumbing/refusal-of.ts';
import { refuseInvalid } from '../plumbing/refuse-invalid.ts';
import { validatorOptions } from '../plumbing/validator.ts';
import { anyProductBody, type PurchaseBody } from '../routes/transactions/create/schema.ts';
import { toPurchaseRequest } from '../routes/transactions/create/to-purchase-request.ts';
import { spellFields } from '../routes/transactions/read-body.ts';
import { fieldsOfRow, headOf, lacksDigits, recogniseHeads } from './columns.ts';
import { readTable } from './read-table.ts';

type CheckedFile = ({ readonly kind: 'fit' } & PricedFile) | UnfitFile;

/**
 * Throws GatewayError: `batch_file_unreadable`, `batch_rows_full`, `batch_column_missing`,
 * `batch_column_repeated`.
 */
export type CheckFile = (principal: Principal, text: string) => Promise<CheckedFile>;

type Dependencies = Pick<ServerDependencies, 'catalog'> & {
  readonly purchases: Pick<Purchases, 'priceOf'>;
};

/** In verbose mode each finding has the schema that reported it. */
type Findings = Parameters<typeof refuseInvalid>[0];

const FAULTS_MAX = 100;
const ROWS_PER_STEP = 20;

/**
 * Reads and prices one purchase from fields with their API names. Throws Refusal and GatewayError.
 */
export function createRowReader(
  dependencies: Dependencies,
): (principal: Principal, fields: Readonly<Record<string, string>>) => PricedRow {
  // Compiled with the first file. At each start it took 0.15 s.
  let compiled: ValidateFunction<PurchaseBody> | undefined;

  return (principal, fields) => {
    const short = (['msisdn', 'phone'] as const).find((field) => lacksDigits(fields[field] ?? ''));
    if (short !== undefined) {
      const message = `${fields[short]} lacks digits because a spreadsheet shortened it. Format the column as text and enter the number again`;
      throw refuseField(short, 'field_invalid', message);
    }
    // The reference of the purchase is derived when the whole file is known.
    const body: Record<string, unknown> = { ...fields, merchant: principal.merchant.code, request_ref: '-' };
    spellFields(body);
    compiled ??= new Ajv(validatorOptions).compile<PurchaseBody>(anyProductBody);
    const isValid = compiled;
    if (!isValid(body)) throw refuseInvalid((isValid.errors ?? []) as Findings, 'body');
    const request = toPurchaseRequest(dependencies, principal, body, body.product);
    const { principal: _, reference: __, ...row } = request;
    return { ...row, charge: dependencies.purchases.priceOf(request) };
  };
}

export function createFileCheck(dependencies: Dependencies): CheckFile {
  const readRow = createRowReader(dependencies);

  function* checkRows(principal: Principal, text: string): Steps<CheckedFile> {
    const table = readTable(text);
    const heads = recogniseHeads(table.heads);
    const rows: PricedRow[] = [];
    const faults: RowFault[] = [];
    let badRows = 0;
    for (const [index, cells] of table.rows.entries()) {
      if (index % ROWS_PER_STEP === 0) yield;
      try {
        refuseWider(heads, cells);
        rows.push(readRow(principal, fieldsOfRow(heads, cells)));
      } catch (error) {
        badRows += 1;
        if (faults.length < FAULTS_MAX) faults.push(...faultsOf(error, heads, cells, index + 1));
      }
    }
    if (badRows === 0) return { kind: 'fit', heads, rows };
    return {
      kind: 'unfit',
      heads,
      rowCount: table.rows.length,
      badRows,
      faults: faults.slice(0, FAULTS_MAX),
    };
  }

  return (principal, text) => runYielding(checkRows(principal, text));
}

/** Without quotes, `100,000` is two cells, of which the first is an amount of 100. */
function refuseWider(heads: readonly Head[], cells: readonly string[]): void {
  if (cells.slice(heads.length).every((cell) => cell === '')) return;
  const message = 'The row has more cells than the first line. Put an amount such as "1,500" in quotes';
  throw new Refusal(400, 'field_invalid', message);
}

function faultsOf(
  error: unknown,
  heads: readonly Head[],
  cells: readonly string[],
  line: number,
): RowFault[] {
  const { fields, reason, message } = refusalFor(error);
  if (fields.length === 0) return [{ line, column: null, reason, message }];
  return fields.map((fault) => ({
    line,
    column: headOf(heads, cells, fault.field),
    reason: fault.reason,
    message: fault.message,
  }));
}

/** Throws any other error. */
export function refusalFor(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof GatewayError) return refusalOf(error.faults, purchaseFieldNames, { isRead: false });
  throw error;
}
