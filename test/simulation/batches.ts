/**
 * The batches of a simulated merchant. Each row has its own recipient, so the books of the
 * providers show a row that was bought twice, under any reference.
 */
import { newId } from '../../src/core/ids.ts';
import type { Principal } from '../../src/merchants/merchant.ts';
import {
  type BatchProgress,
  type BatchState,
  hashRows,
  type RowPurchase,
  rowReference,
} from '../../src/purchases/batches/batch.ts';
import { type BatchChange, changeBatch, storeBatch } from '../../src/purchases/batches/change-batch.ts';
import type { Checked } from './check.ts';
import type { GatewayProcess } from './gateway-process.ts';
import { requestOf } from './products.ts';
import type { ProviderBook } from './provider-book.ts';
import type { ProviderScript } from './provider-script.ts';
import { purchaseKey } from './scripted-provider.ts';
import type { StoredBatch, StoredPurchase } from './stored-purchases.ts';

/** The rows of each file: fewer and more than a worker buys at once. */
const rowCounts = [3, 10];

export const files: readonly number[] = rowCounts.map((_, file) => file);

/** `reference` is the reference of the row's purchase. */
type FileRow = RowPurchase & { readonly name: string; readonly line: number; readonly reference: string };

type BatchFile = { readonly hash: string; readonly rows: readonly FileRow[] };

export function fileOf(merchantId: number, file: number): BatchFile {
  const rows = Array.from({ length: rowCounts[file] ?? 0 }, (_, index): RowPurchase => {
    const digits = `81${file}${index}${String(merchantId).padStart(6, '0')}`;
    const [product, faceValue] = index === 2 ? (['data', 300_00n] as const) : (['airtime', 50_00n] as const);
    const goods = requestOf(product, merchantId, 1);
    return { ...goods, faceValue, msisdn: `0${digits}`, recipient: `234${digits}` };
  });
  const hash = hashRows(rows);
  const named = rows.map((row, index) => {
    const line = index + 1;
    return { ...row, line, name: `line ${line} of file ${file + 1}`, reference: rowReference(hash, line) };
  });
  return { hash, rows: named };
}

/** Plans the orders of the rows: each row begins with a different script. */
export function planRows(
  book: ProviderBook,
  merchantId: number,
  { rows }: BatchFile,
  scripts: readonly ProviderScript[],
): void {
  for (const { reference, name, line } of rows) {
    const first = line % scripts.length;
    const own = [...scripts.slice(first), ...scripts.slice(0, first)];
    book.plan(purchaseKey(merchantId, reference), name, own);
  }
}

/** Uploads a file, perhaps again, and changes its batch. Returns the state in the answer. */
export async function uploadBatch(
  { database, purchases }: GatewayProcess,
  principal: Principal,
  file: BatchFile,
  to: BatchChange,
): Promise<BatchState | undefined> {
  const { credentialId, environment, merchant } = principal;
  const owner = { merchantId: merchant.id, environment };
  const rows = file.rows.map((row) => ({ ...row, charge: purchases.priceOf({ ...row, principal }) }));
  const given = { id: newId(), name: 'Batch', credentialId, createdBy: merchant.code };
  const { batch } = await database.transaction((tx) => storeBatch(tx, owner, { heads: [], rows }, given));
  const named = { ...owner, id: batch.id };
  const changed = await database.transaction((tx) => changeBatch(tx, named, to));
  if (changed.kind === 'changed') return changed.batch.state;
  return changed.kind === 'ended' ? changed.state : undefined;
}

type Bought = Pick<Checked, 'batches' | 'ended' | 'purchases' | 'book' | 'merchantId'>;

/** A row is bought once, under its reference, and a batch leaves none out. */
export function batchDifferences({ batches, ended, purchases, book, merchantId }: Bought): string[] {
  const bought = Map.groupBy(purchases, ({ recipient }) => recipient);
  const own = purchaseKey(merchantId, '');
  const orders = [...book.orders].filter((one) => one.purchase.startsWith(own) && one.state === 'delivered');
  const delivered = Map.groupBy(orders, ({ reference }) => book.recipientOf(reference));
  const known = files.map((file) => fileOf(merchantId, file));
  return [
    ...known.flatMap(({ hash, rows }) => {
      const batch = batches.find((one) => one.hash === hash);
      return rows.flatMap((row) => {
        const { length } = delivered.get(row.recipient) ?? [];
        return [
          ...(length > 1 ? [`${row.name}: delivered ${length} times`] : []),
          ...rowDifferences(row, batch, bought.get(row.recipient) ?? []),
        ];
      });
    }),
    ...batches
      .filter(({ hash }) => known.every((file) => file.hash !== hash))
      .map(({ hash }) => `the batch ${hash} is of no file`),
    ...[...ended]
      .filter(([hash, state]) => batches.every((batch) => batch.hash !== hash || batch.state !== state))
      .map(([hash, state]) => `the batch ${hash} was told ${state}, and is not`),
  ];
}

function rowDifferences(
  { name, line, reference, product, faceValue }: FileRow,
  batch: StoredBatch | undefined,
  bought: readonly StoredPurchase[],
): string[] {
  const wrong: string[] = [];
  const isOwn = (one: StoredPurchase): boolean =>
    one.reference === reference && one.product === product && one.face_value === faceValue;
  if (bought.length > 1 || !bought.every(isOwn))
    wrong.push(`${name}: bought as ${bought.map((one) => one.reference)}, and it is ${reference}`);
  if (bought.length > 0 && (batch === undefined || batch.state === 'ready'))
    wrong.push(`${name}: bought, and its batch was not started`);
  const isHandled = batch !== undefined && (line < batch.next_line || batch.state === 'done');
  if (isHandled && bought.length === 0 && !batch.refused.includes(line))
    wrong.push(`${name}: left out by its batch`);
  return wrong;
}

/** Compares the progress that a merchant sees with the rows of the batch. */
export function progressDifferences(
  { rows }: BatchFile,
  { refused }: StoredBatch,
  purchases: readonly StoredPurchase[],
  progress: BatchProgress,
): string[] {
  const counts = { waiting: 0, pending: 0, success: 0, failed: 0, refused: 0, spent: 0n };
  for (const { reference, line } of rows) {
    const purchase = purchases.find((one) => one.reference === reference);
    const otherwise = refused.includes(line) ? 'refused' : 'waiting';
    counts[purchase === undefined ? otherwise : (purchase.status ?? 'pending')] += 1;
    if (purchase?.status === 'success') counts.spent += purchase.charge;
  }
  const told = (one: BatchProgress): string =>
    `${one.waiting} waiting, ${one.pending} pending, ${one.success} success, ${one.failed} failed, ${one.refused} refused, ${one.spent} spent`;
  return told(progress) === told(counts) ? [] : [`a batch tells ${told(progress)}; it is ${told(counts)}`];
}
