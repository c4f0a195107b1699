/**
 * The lists of the lost time: of each provider its statement file where one is given, else its own.
 */
import { OperationError } from '../kernel/errors.ts';
import type { Provider } from '../providers/provider.ts';
import type { ProviderDefinition } from '../providers/provider-definition.ts';
import { readList } from '../providers/read-list.ts';
import { readStatement } from '../statements/read-statement.ts';
import { type Period, StatementError, type StatementLine } from '../statements/statement-line.ts';
import { parseMapping, type StatementMapping } from '../statements/statement-mapping.ts';
import type { Listing } from './reconcile-restore.ts';

/** A file of a provider, and what is in it. */
type GivenFile = { readonly provider: string; readonly content: string };

export type ListingSources = {
  /** Configured ones. */
  readonly open: ReadonlyMap<string, Provider>;
  readonly definitions: readonly ProviderDefinition[];
  readonly needed: readonly string[];
  readonly statements: readonly GivenFile[];
  readonly mappings: readonly GivenFile[];
  readonly period: Period;
};

/**
 * Throws OperationError for a file of a provider that is not known, one of two of the same, or one
 * of an unknown layout.
 */
export function openListings(sources: ListingSources): ReadonlyMap<string, Listing> {
  const { open, definitions, needed, statements, mappings, period } = sources;
  const listings = new Map<string, Listing>();
  for (const name of needed) {
    const provider = open.get(name);
    if (provider?.listOrders === undefined) continue;
    listings.set(name, { source: 'asked', lines: readList(provider, period) });
  }
  const known = definitions.map(({ name }) => name);
  refuseDoubled('statements', statements);
  refuseDoubled('mappings', mappings);
  for (const { provider } of mappings) {
    if (!known.includes(provider)) throw new OperationError({ code: 'no_such_provider', provider, known });
  }
  for (const { provider, content } of statements) {
    const definition = definitions.find(({ name }) => name === provider);
    if (definition === undefined) throw new OperationError({ code: 'no_such_provider', provider, known });
    const own = mappings.find((mapping) => mapping.provider === provider);
    const mapping = own === undefined ? definition.statementMapping : readMapping(own);
    if (mapping === undefined) throw new OperationError({ code: 'statement_unmapped', provider });
    listings.set(provider, { source: 'file', lines: linesOf(provider, content, mapping) });
  }
  return listings;
}

/** The second would silently take the place of the first. */
function refuseDoubled(field: string, files: readonly GivenFile[]): void {
  const names = files.map(({ provider }) => provider);
  const doubled = names.find((name, index) => names.indexOf(name) !== index);
  if (doubled === undefined) return;
  const wanted = `one file of each provider, and has two of ${doubled}: put them into one`;
  throw new OperationError({ code: 'input_malformed', faults: [{ field, kind: 'wrong', wanted }] });
}

function readMapping({ provider, content }: GivenFile): StatementMapping {
  try {
    return parseMapping(content);
  } catch (error) {
    throw unreadable(provider, error);
  }
}

async function* linesOf(
  provider: string,
  content: string,
  mapping: StatementMapping,
): AsyncGenerator<StatementLine> {
  try {
    yield* readStatement([content], mapping);
  } catch (error) {
    throw unreadable(provider, error);
  }
}

function unreadable(provider: string, error: unknown): unknown {
  if (!(error instanceof StatementError)) return error;
  return new OperationError({ code: 'statement_unreadable', provider, faults: error.faults });
}
