/** Connects the parts of batches: the merchants' API, and the worker that buys them. */
import { createFileCheck } from '../api/bulk/check-file.ts';
import { readXlsx } from '../api/bulk/read-xlsx.ts';
import type { BatchOperations, FoundBatch } from '../api/dependencies.ts';
import { purchaseFieldNames } from '../api/plumbing/field-names.ts';
import { refusalOf } from '../api/plumbing/refusal-of.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Actor } from '../core/actor.ts';
import { assertNever, GatewayError } from '../core/errors.ts';
import type { Failpoints } from '../core/failpoints.ts';
import type { IdSource } from '../core/ids.ts';
import { formatAmount } from '../core/money.ts';
import type { Database, Queries, Sql } from '../db/database.ts';
import type { Authenticator } from '../merchants/authenticate.ts';
import type { Principal } from '../merchants/merchant.ts';
import { recordOperation } from '../oversight/log/audit-log-store.ts';
import type { Batch, BatchOwner } from '../purchases/batches/batch.ts';
import { countProgress, findBatch, listBatches, readBatchRows } from '../purchases/batches/batch-store.ts';
import {
  availableFor,
  type Changed,
  changeBatch,
  type StoredFile,
  storeBatch,
  type UnfitFile,
} from '../purchases/batches/change-batch.ts';
import type { UploadBatch } from '../purchases/batches/operations/create-batch.ts';
import { workBatches } from '../purchases/batches/work-batches.ts';
import type { Purchases } from '../purchases/purchases.ts';

export type Batches = {
  readonly acts: BatchOperations;
  /** For users of the portal. */
  readonly upload: UploadBatch;
  /** Buys slices of the running batches. */
  readonly work: () => Promise<number>;
};

type UploadParts = {
  /** Where the changes of a merchant are stored. */
  readonly workOf: (merchantId: number) => Queries;
  readonly catalog: Catalog;
  readonly purchases: Pick<Purchases, 'priceOf'>;
  readonly authenticator: Pick<Authenticator, 'principalOf'>;
  readonly newId: IdSource;
};

type Parts = UploadParts & {
  readonly database: Database;
  readonly readsOf: (merchantId: number) => Queries;
  readonly purchases: Pick<Purchases, 'purchase'>;
  readonly failpoints: Failpoints;
};

function ownerOf({ merchant, environment }: Principal): BatchOwner {
  return { merchantId: merchant.id, environment };
}

/** A merchant acts by its credential. */
function actorOf({ merchant, credentialId }: Principal): Actor {
  return { name: merchant.code, principal: `credential:${credentialId}`, edge: 'api' };
}

type Upload = (
  principal: Principal,
  file: { readonly csv: string; readonly name: string },
  actor: Actor,
) => Promise<StoredFile | UnfitFile>;

function createUpload(parts: UploadParts): Upload {
  const { workOf } = parts;
  const checkFile = createFileCheck(parts);
  return async (principal, { csv, name }, actor) => {
    const checked = await checkFile(principal, csv);
    if (checked.kind === 'unfit') return checked;
    const { credentialId } = principal;
    const given = { id: parts.newId(), name, credentialId, createdBy: actor.name };
    return await workOf(principal.merchant.id).transaction(async (tx) => {
      const stored = await storeBatch(tx, ownerOf(principal), checked, given);
      if (stored.isNew) {
        const { id, row_count: rows, charge, environment } = stored.batch;
        const after = { environment, rows, charge: formatAmount(charge), credential: credentialId };
        await recordOperation(tx, { actor, action: 'batch.create', subject: `batch:${id}`, after });
      }
      return stored;
    });
  };
}

/** For portal users, who choose the credential that buys. */
export function createPersonalUpload(parts: UploadParts): UploadBatch {
  const upload = createUpload(parts);
  return async (credentialId, file, actor) => {
    const principal = await parts.authenticator.principalOf(credentialId);
    if (principal === undefined) return undefined;
    try {
      const csv = 'xlsx' in file ? await readXlsx(file.xlsx) : file.csv;
      return await upload(principal, { csv, name: file.name }, actor);
    } catch (error) {
      if (error instanceof GatewayError) return unreadable(error);
      throw error;
    }
  };
}

export function createBatches(parts: Parts): Batches {
  const { database, workOf, readsOf, authenticator, purchases, failpoints } = parts;
  const upload = createUpload(parts);
  return {
    upload: createPersonalUpload(parts),
    work: () =>
      workBatches({
        database,
        failpoints,
        principalOf: (credentialId) => authenticator.principalOf(credentialId),
        purchase: (request, mode) => purchases.purchase(request, mode),
      }),
    acts: {
      create: (principal, file) => upload(principal, file, actorOf(principal)),
      list: (principal, page) => {
        const { merchantId, environment } = ownerOf(principal);
        return listBatches(readsOf(merchantId), merchantId, { ...page, environment });
      },
      // Reads the primary: a batch is looked up right after a change.
      find: async (principal, id) => {
        const sql = workOf(principal.merchant.id);
        return await describe(sql, await requireBatch(sql, principal, id));
      },
      change: async (principal, id, { to, allowDuplicates }) => {
        const work = workOf(principal.merchant.id);
        const batch = await work.transaction(async (tx) => {
          const named = { ...ownerOf(principal), id };
          const changed = takeChanged(await changeBatch(tx, named, to, { allowDuplicates }));
          if (changed.before !== to) {
            const subject = `batch:${id}`;
            const states = { before: { state: changed.before }, after: { state: to } };
            await recordOperation(tx, {
              actor: actorOf(principal),
              action: 'batch.change',
              subject,
              ...states,
            });
          }
          return changed.batch;
        });
        return await describe(work, batch);
      },
      rows: async (principal, id, page) => {
        const reads = readsOf(principal.merchant.id);
        const batch = await requireBatch(reads, principal, id);
        return { batch, rows: await readBatchRows(reads, batch.merchant_id, id, page) };
      },
    },
  };
}

/** An error for users who upload a file that cannot be read at all. */
function unreadable({ faults }: GatewayError): UnfitFile {
  const { reason, message } = refusalOf(faults, purchaseFieldNames, { isRead: false });
  return {
    kind: 'unfit',
    heads: [],
    rowCount: 0,
    badRows: 0,
    faults: [{ line: 0, column: null, reason, message }],
  };
}

async function requireBatch(sql: Sql, { merchant, environment }: Principal, id: string): Promise<Batch> {
  const batch = await findBatch(sql, merchant.id, id, environment);
  if (batch === undefined) throw new GatewayError({ code: 'no_batch' });
  return batch;
}

async function describe(sql: Sql, batch: Batch): Promise<FoundBatch> {
  return {
    batch,
    progress: await countProgress(sql, batch.merchant_id, batch.id),
    available: await availableFor(sql, batch),
  };
}

function takeChanged(changed: Changed): Extract<Changed, { kind: 'changed' }> {
  switch (changed.kind) {
    case 'changed':
      return changed;
    case 'unknown':
      throw new GatewayError({ code: 'no_batch' });
    case 'ended':
      throw new GatewayError({ code: 'batch_ended', state: changed.state });
    case 'not_started':
      throw new GatewayError({ code: 'batch_not_started' });
    case 'duplicates':
      throw new GatewayError({ code: 'batch_has_duplicates', count: changed.count });
    case 'not_covered':
      throw new GatewayError({ ...changed, code: 'batch_not_covered' });
    default:
      return assertNever(changed);
  }
}
