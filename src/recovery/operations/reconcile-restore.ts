/** Finds and enters what providers delivered in the lost time (reconcile-restore.ts above). */
import type { KeyObject } from 'node:crypto';
import { type Static, Type } from 'typebox';
import type { Tasking } from '../../audit-log/acting.ts';
import { recordOperation } from '../../audit-log/audit-log-store.ts';
import { loadCatalog } from '../../catalog/catalog.ts';
import { announceChange } from '../../db/change-notice-store.ts';
import type { Database } from '../../db/database.ts';
import { OperationError } from '../../kernel/errors.ts';
import { defineOperation, fileBodyBytesMax, treasurers } from '../../kernel/operation.ts';
import { inputOf } from '../../kernel/operation-fields.ts';
import { type OnProgress, unwatched } from '../../kernel/progress.ts';
import type { Provider } from '../../providers/provider.ts';
import type { ProviderDefinition } from '../../providers/provider-definition.ts';
import { keyMarks } from '../../providers/reference-mark.ts';
import { listFrom } from '../fence-state.ts';
import { type FenceRow, findFence } from '../fence-store.ts';
import { listNeededProviders } from '../found-order-store.ts';
import type { FilesHold } from '../listed-time.ts';
import { momentField } from '../moment-field.ts';
import { openListings } from '../open-listings.ts';
import { reconcileRestore } from '../reconcile-restore.ts';
import { reconciledAnswer, reconciledOutput } from '../reconciled-answer.ts';

type Reconciling = Tasking & {
  readonly providers: readonly ProviderDefinition[];
  readonly openProviders: () => Promise<
    AsyncDisposable & { readonly providers: ReadonlyMap<string, Provider> }
  >;
  readonly onProgress?: OnProgress;
  /** The installation's secret, by which its marks are read. */
  readonly pepper: () => Promise<KeyObject>;
};

const CONTENT_MAX = 50_000_000;

function filesField(description: string) {
  const file = Type.Object(
    { provider: Type.String(), content: Type.String({ maxLength: CONTENT_MAX }) },
    { additionalProperties: false },
  );
  return Type.Optional(Type.Array(file, { description, maxItems: 50 }));
}

export const reconcileRestoreOperation = defineOperation({
  name: 'restore.reconcile',
  kind: 'task',
  summary:
    'find what providers delivered in the time that a restore lost, by their lists or their statement files, and with apply enter it',
  roles: treasurers,
  route: 'POST /restore/reconcile',
  isLong: true,
  document: 'operators/restore.md',
  bodyBytesMax: fileBodyBytesMax,
  input: inputOf({
    statements: filesField('a statement file of a provider that cannot be asked, as provider=file'),
    mappings: filesField(
      "the layout of a provider's statement file, where it is not the usual one, as provider=file",
    ),
    from: Type.Optional(
      momentField(
        'providers are asked for their lists from then on; without, from an hour before what is lost',
      ),
    ),
    files_from: Type.Optional(
      momentField(
        'you say that each file has every order since then; without, it has from its first order on',
      ),
    ),
    files_to: Type.Optional(
      momentField('you say that each file has every order until then; without, it has up to its last order'),
    ),
    apply: Type.Optional(Type.Boolean({ description: 'true to enter it', default: false })),
  }),
  output: reconciledOutput,
  run: async (needs: Reconciling, input) => {
    const { database, actor, onProgress = unwatched } = needs;
    const { statements = [], mappings = [], apply = false } = input;
    keyMarks(await needs.pepper());
    const fence = await findFence(database);
    if (fence === undefined) throw new OperationError({ code: 'no_fence' });
    const until = new Date();
    const from = input.from === undefined ? listFrom(fence) : new Date(input.from);
    if (from > until) throw new OperationError({ code: 'time_ahead' });
    const filesHold = readFilesHold(input, until);
    const needed = await listNeededProviders(database);
    await using opened = await needs.openProviders();
    const period = { from, to: until };
    const sources = { open: opened.providers, definitions: needs.providers, needed, statements, mappings };
    const listings = openListings({ ...sources, period });
    const catalog = await loadCatalog(database);
    const work = { database, catalog, fence, from, until, listings, needed, apply, actor, onProgress };
    const reconciled = await reconcileRestore({ ...work, filesHold });
    const answer = await reconciledAnswer(database, reconciled, { from, until, apply });
    if (apply) await note(database, actor, fence, answer, input);
    return answer;
  },
});

type Said = { readonly files_from?: string; readonly files_to?: string };

function readFilesHold({ files_from: from, files_to: to }: Said, now: Date): FilesHold {
  const hold = {
    from: from === undefined ? undefined : new Date(from),
    until: to === undefined ? undefined : new Date(to),
  };
  const last = hold.until ?? now;
  if (last > now) throw wrong('files_to', 'a moment in the past');
  if (hold.from !== undefined && hold.from > last) throw wrong('files_from', 'a moment before files_to');
  return hold;
}

function wrong(field: string, wanted: string): OperationError {
  return new OperationError({ code: 'input_malformed', faults: [{ field, kind: 'wrong', wanted }] });
}

async function note(
  database: Database,
  actor: Tasking['actor'],
  fence: FenceRow,
  { providers, complete, from }: Static<typeof reconciledOutput>,
  { files_from: filesFrom, files_to: filesTo }: Said,
): Promise<void> {
  await database.transaction(async (tx) => {
    await recordOperation(tx, {
      actor,
      action: 'restore.reconcile',
      subject: `restore_fence:${fence.id}`,
      after: {
        from,
        complete,
        providers,
        ...(filesFrom !== undefined && { files_from: filesFrom }),
        ...(filesTo !== undefined && { files_to: filesTo }),
      },
    });
    // Those that were entered are recognised from now on.
    await announceChange(tx, 'fence');
  });
}
