/**
 * Reconciles the books with a provider or a bank (../run-reconciliation.ts) and returns the first
 * differences. A cursor continues the list without another run.
 */
import type { KeyObject } from 'node:crypto';
import { Type } from 'typebox';
import { accountField } from '../../../core/account-names.ts';
import { nextDay, parseDay } from '../../../core/clock.ts';
import { OperationError } from '../../../core/errors.ts';
import { isUuid } from '../../../core/ids.ts';
import { defineOperation, fileBodyBytesMax, treasurers } from '../../../core/operation.ts';
import { dayOrMomentField, inputOf, pageFields, text } from '../../../core/operation-fields.ts';
import { type OnProgress, unwatched } from '../../../core/progress.ts';
import type { BankDefinition } from '../../../funding/banks/bank-definition.ts';
import type { Tasking } from '../../../oversight/log/acting.ts';
import { recordOperation } from '../../../oversight/log/audit-log-store.ts';
import type { ProviderDefinition } from '../../../providers/provider-definition.ts';
import { keyMarks } from '../../../providers/reference-mark.ts';
import { type Period, StatementError } from '../../../providers/statements/statement-line.ts';
import { parseMapping, type StatementMapping } from '../../../providers/statements/statement-mapping.ts';
import { findParty } from '../find-party.ts';
import { reconciliationAnswer, reconciliationOutput } from '../run-answer.ts';
import { type Reconciling, runReconciliation } from '../run-reconciliation.ts';
import type { StatementFile } from '../statement-source.ts';

type Needs = Tasking &
  Reconciling & {
    readonly providers: readonly ProviderDefinition[];
    readonly banks: readonly BankDefinition[];
    /** The secret of the installation, by which its marks are read. */
    readonly pepper: () => Promise<KeyObject>;
    readonly openFile?: (path: string) => AsyncIterable<Uint8Array>;
    readonly onProgress?: OnProgress;
  };

/** The limit of an API call. The command line reads longer files. */
const STATEMENT_LENGTH_MAX = 8 * 1024 * 1024;
const MAPPING_LENGTH_MAX = 256 * 1024;

const content = (description: string, maxLength: number) =>
  Type.Optional(Type.String({ description, minLength: 1, maxLength }));

export const runReconciliationOperation = defineOperation({
  name: 'reconciliation.run',
  kind: 'task',
  summary:
    "compare a provider's or bank's statement file or list with purchases, deposits and the ledger; changes nothing without apply",
  roles: treasurers,
  route: 'POST /reconciliations',
  isLong: true,
  document: 'operators/reconciliation.md',
  bodyBytesMax: fileBodyBytesMax,
  input: inputOf({
    party: accountField('the name of a provider or a bank'),
    file: Type.Optional(
      text('the path of a statement file on the machine where the command runs', { maxLength: 1_000 }),
    ),
    statement: content('the content of a statement file, of at most 8 MB', STATEMENT_LENGTH_MAX),
    mapping: content(
      "how the file is read, as JSON, if it does not have the party's own layout",
      MAPPING_LENGTH_MAX,
    ),
    from: Type.Optional(dayOrMomentField),
    to: Type.Optional(dayOrMomentField),
    apply: Type.Optional(
      Type.Boolean({
        description: 'true to resolve the differences where that is safe and certain',
        default: false,
      }),
    ),
    ...pageFields,
  }),
  output: reconciliationOutput,
  run: async (needs: Needs, { party: name, cursor, limit = 50, ...input }) => {
    const { database, clock, actor, onProgress = unwatched } = needs;
    const [, shown, after] = /^([^/]+)\/([0-9]{1,9})$/.exec(cursor ?? '') ?? [];
    if (cursor !== undefined && !isUuid(shown ?? '')) {
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
      const period = readPeriod(input, clock.now());
      keyMarks(await needs.pepper());
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

type Ends = { readonly from?: string; readonly to?: string };

/**
 * Reads the period. A day means its first moment as the start and its end as the end. An absent end
 * follows from the file, or is now.
 */
function readPeriod({ from: given, to }: Ends, now: Date): Partial<Period> {
  const from = given === undefined ? undefined : readMoment('from', given, (day) => day);
  const end = to === undefined ? undefined : readMoment('to', to, nextDay);
  if (from !== undefined && from >= (end ?? now)) {
    throw new OperationError({ code: 'days_backwards', from: given ?? '', to: to ?? 'now' });
  }
  return { ...(from && { from }), ...(end && { to: end }) };
}

function readMoment(field: string, text: string, ofDay: (day: Date) => Date): Date {
  const day = parseDay(text.slice(0, 10));
  const at = day !== undefined && text.length === 10 ? ofDay(day) : new Date(text);
  if (day !== undefined && !Number.isNaN(at.getTime())) return at;
  const wanted = 'a valid day or time';
  throw new OperationError({ code: 'input_malformed', errors: [{ field, kind: 'wrong', wanted }] });
}
