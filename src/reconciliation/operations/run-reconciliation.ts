/**
 * Reconciles the books with a provider or a bank (run-reconciliation.ts of the folder above), and
 * gives the first of its differences. The list goes on by the cursor: nothing is run again then.
 */
import { Type } from 'typebox';
import type { Tasking } from '../../audit-log/acting.ts';
import { recordOperation } from '../../audit-log/audit-log-store.ts';
import type { BankDefinition } from '../../banks/bank-definition.ts';
import { formatDay, nextDay, parseDay } from '../../kernel/clock.ts';
import { OperationError } from '../../kernel/errors.ts';
import { defineOperation, fileBodyBytesMax, treasurers } from '../../kernel/operation.ts';
import { dayField, inputOf, pageFields, text } from '../../kernel/operation-fields.ts';
import { type OnProgress, unwatched } from '../../kernel/progress.ts';
import type { ProviderDefinition } from '../../providers/provider-definition.ts';
import { type Period, StatementError } from '../../statements/statement-line.ts';
import { parseMapping, type StatementMapping } from '../../statements/statement-mapping.ts';
import { findParty } from '../find-party.ts';
import { reconciliationAnswer, reconciliationOutput } from '../run-answer.ts';
import { type Reconciling, runReconciliation } from '../run-reconciliation.ts';
import type { StatementFile } from '../told-source.ts';

type Needs = Tasking &
  Reconciling & {
    readonly providers: readonly ProviderDefinition[];
    readonly banks: readonly BankDefinition[];
    readonly openFile?: (path: string) => AsyncIterable<Uint8Array>;
    readonly onProgress?: OnProgress;
  };

/** What an API call can carry; a longer file is read where the command runs. */
const STATEMENT_LENGTH_MAX = 8 * 1024 * 1024;
const MAPPING_LENGTH_MAX = 256 * 1024;

const content = (description: string, maxLength: number) =>
  Type.Optional(Type.String({ description, minLength: 1, maxLength }));

export const runReconciliationOperation = defineOperation({
  name: 'reconciliation.run',
  kind: 'task',
  summary:
    'compare what a provider or bank tells, by its file or its list, with purchases, deposits and the ledger; changes nothing without apply',
  roles: treasurers,
  route: 'POST /reconciliations',
  isLong: true,
  document: 'operators/reconciliation.md',
  bodyBytesMax: fileBodyBytesMax,
  input: inputOf({
    party: text('the name of a provider or a bank'),
    file: Type.Optional(text('the name of a statement file where the command runs', { maxLength: 1_000 })),
    statement: content('the content of a statement file, of at most 8 MB', STATEMENT_LENGTH_MAX),
    mapping: content(
      'how the file is read, as JSON, where it is not as the party exports it',
      MAPPING_LENGTH_MAX,
    ),
    from: Type.Optional(dayField),
    to: Type.Optional(dayField),
    apply: Type.Optional(
      Type.Boolean({
        description: 'true to do what is safe and certain about the differences',
        default: false,
      }),
    ),
    ...pageFields,
  }),
  output: reconciliationOutput,
  run: async (needs: Needs, { party: name, cursor, limit = 50, ...input }) => {
    const { database, clock, actor, onProgress = unwatched } = needs;
    const [, shown, after] = /^([0-9a-f-]{36})\/([0-9]{1,9})$/.exec(cursor ?? '') ?? [];
    if (cursor !== undefined && shown === undefined) {
      throw new OperationError({ code: 'no_such_cursor', cursor });
    }
    const party = findParty(needs, name);
    const id = shown ?? (await start());
    const page = { after: Number(after ?? 0), limit, now: clock.now() };
    const answer = await reconciliationAnswer(database, id, page);
    return { ...answer, cursor: answer.cursor === null ? null : `${id}/${answer.cursor}` };

    async function start(): Promise<string> {
      const file = fileOf(needs, input);
      const mapping = input.mapping === undefined ? undefined : readMapping(input.mapping);
      const period = readPeriod(input, file !== undefined, formatDay(clock.now()));
      const { apply = false } = input;
      const run = await runReconciliation(needs, { party, file, mapping, period, apply }, onProgress);
      await database.transaction((tx) =>
        recordOperation(tx, {
          actor,
          action: 'reconciliation.run',
          subject: `reconciliation:${run}`,
          after: { party: party.name, file: file?.name ?? null, apply },
        }),
      );
      return run;
    }
  },
});

type Given = { readonly file?: string; readonly statement?: string };

function fileOf({ openFile }: Needs, { file, statement }: Given): StatementFile | undefined {
  if (statement !== undefined) return { name: 'statement', chunks: [statement] };
  if (file === undefined) return undefined;
  if (openFile === undefined) throw new OperationError({ code: 'no_files_here' });
  return { name: file, chunks: openFile(file) };
}

function readMapping(given: string): StatementMapping {
  try {
    return parseMapping(given);
  } catch (error) {
    if (!(error instanceof StatementError)) throw error;
    throw new OperationError({ code: 'statement_at_fault', file: 'the mapping', faults: error.faults });
  }
}

function dayBefore(day: string): string {
  const at = parseDay(day);
  return at === undefined ? day : formatDay(new Date(at.getTime() - 24 * 60 * 60_000));
}

type Days = { readonly from?: string; readonly to?: string };

/**
 * Whole days of Lagos, the last one included; without it, until today. A file says by itself where
 * it begins; a list is asked for from the day before its last on.
 */
function readPeriod({ from: given, to }: Days, hasFile: boolean, today: string): Partial<Period> {
  const end = to ?? today;
  const from = given ?? (hasFile ? undefined : dayBefore(end));
  if (from !== undefined && from > end) throw new OperationError({ code: 'days_backwards', from, to: end });
  const first = from === undefined ? undefined : parseDay(from);
  const last = to === undefined ? undefined : parseDay(to);
  return { ...(first && { from: first }), ...(last && { to: nextDay(last) }) };
}
