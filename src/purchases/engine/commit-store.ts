/**
 * The SQL of a commit: accepts and resolves in one statement and so in one transaction. Both
 * functions receive all wallets of the two: the first locks them in account order, and the second
 * finds them locked.
 */
import { invariant } from '../../core/errors.ts';
import type { Sql } from '../../db/database.ts';
import { toRecordList } from '../../db/record-text.ts';
import { type AcceptItem, type AcceptVerdict, toAcceptRecord, toAcceptVerdict } from './accept-store.ts';
import { type ResolveItem, type ResolveVerdict, toResolveRecord, toResolveVerdict } from './resolve-store.ts';

/** The verdicts of one stage are returned in one text, because a row per verdict costs more. */
type CommitRow = { verdicts: string };

const commitPurchasesStatement = {
  name: 'commit_purchases',
  // Resolves come first: the money that they release can pay for what is accepted with them.
  text: `
    select array_to_string(resolve_purchases(
      array(select item::resolve_item from unnest(string_to_array($1, $2)) as item), $5::bigint[], $7
    ), ',') as verdicts
    union all
    select array_to_string(accept_purchases(
      array(select item::accept_item from unnest(string_to_array($3, $4)) as item), $5::bigint[], $6::uuid
    ), ',')`,
};

/**
 * Checks that the statement could run: PostgreSQL plans it and does not run it. Rejects if a
 * function is missing or ambiguous.
 */
export async function explainCommit(sql: Sql): Promise<void> {
  await sql.query(`explain (costs off) ${commitPurchasesStatement.text}`, ['', ',', '', ',', [], null, true]);
}

/** Returns the wallets that are not locked now. It waits for no lock and keeps none. */
export async function findFreeWallets(sql: Sql, wallets: readonly bigint[]): Promise<ReadonlySet<bigint>> {
  const rows = await sql.query<{ account_id: bigint }>(
    {
      name: 'find_free_wallets',
      text: `
        select account_id
        from wallet_owners
        where account_id = any($1)
        for update skip locked`,
    },
    [wallets],
  );
  return new Set(rows.map((row) => row.account_id));
}

export type CommittedPurchases = {
  readonly accepts: readonly AcceptVerdict[];
  readonly resolves: readonly ResolveVerdict[];
};

/** The verdicts in the order of the items. */
export async function commitPurchases(
  sql: Sql,
  batch: { readonly accepts: readonly AcceptItem[]; readonly resolves: readonly ResolveItem[] },
  owner: string,
): Promise<CommittedPurchases> {
  const wallets = new Set([...batch.accepts, ...batch.resolves].map((item) => item.walletId));
  const resolves = toRecordList(batch.resolves.map(toResolveRecord));
  const accepts = toRecordList(batch.accepts.map(toAcceptRecord));
  const rows = await sql.query<CommitRow>(commitPurchasesStatement, [
    resolves.text,
    resolves.separator,
    accepts.text,
    accepts.separator,
    [...wallets],
    owner,
    new Set(batch.resolves.map((item) => item.purchaseId)).size === batch.resolves.length,
  ]);
  const [resolved, accepted] = rows;
  return {
    accepts: readVerdicts(batch.accepts, accepted, toAcceptVerdict),
    resolves: readVerdicts(batch.resolves, resolved, toResolveVerdict),
  };
}

/** Reads the verdict of each item. A stage without items has an empty text. */
function readVerdicts<Item, Verdict>(
  items: readonly Item[],
  row: CommitRow | undefined,
  read: (words: readonly string[], item: Item) => Verdict,
): Verdict[] {
  const texts = row === undefined || row.verdicts === '' ? [] : row.verdicts.split(',');
  invariant(texts.length === items.length, 'every item of a commit has a verdict');
  return items.map((item, index) => read(texts[index]?.split(' ') ?? [], item));
}
