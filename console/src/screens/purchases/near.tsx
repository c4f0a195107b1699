/** Suggestions when a search finds nothing: one wrong digit, letter case, the other environment. */
import type { Row } from '../../api/operations.ts';
import { usePages } from '../../api/queries.ts';
import { useEnvironment } from '../../widgets/environment.ts';
import { useFilters } from '../../widgets/filters.ts';
import { Go, purchasePath } from '../../widgets/go.tsx';
import { Panel } from '../../widgets/page.tsx';
import { searchKinds, searchValue } from './search-kinds.ts';

const FEW = 20;

export function Near({ text }: { readonly text: string }) {
  const environment = useEnvironment();
  const [{ day }] = useFilters();
  const days = { ...(day && { from: day, to: day }), limit: FEW };
  const kinds = searchKinds(text);
  const [first = 'reference'] = kinds;
  const typed = text.trim();
  const isNumber = kinds.includes('phone') || kinds.includes('meter');
  const kind = kinds.includes('phone') ? 'phone' : 'meter';
  const asked = { ...days, environment };
  const digits = usePages(
    'purchase.list',
    { ...asked, near: true, [kind]: searchValue(kind, text) },
    { enabled: isNumber },
  );
  const cards = usePages(
    'purchase.list',
    { ...asked, near: true, card: searchValue('card', text) },
    { enabled: kinds.includes('meter') },
  );
  const lower = usePages(
    'purchase.list',
    { ...asked, reference: typed.toLowerCase() },
    { enabled: typed !== typed.toLowerCase() },
  );
  const upper = usePages(
    'purchase.list',
    { ...asked, reference: typed.toUpperCase() },
    { enabled: typed !== typed.toUpperCase() },
  );
  const other = environment === 'live' ? 'test' : 'live';
  const elsewhere = usePages('purchase.list', {
    ...days,
    environment: other,
    [first]: searchValue(first, text),
  });
  const numbers = [...new Set([...digits.rows, ...cards.rows].map(({ recipient }) => recipient))];
  const references = [...lower.rows, ...upper.rows];
  const isElsewhere = elsewhere.rows.length > 0;
  if (numbers.length === 0 && references.length === 0 && !isElsewhere) return null;
  return (
    <Panel title="Did you mean">
      <ul>
        {numbers.map((number) => (
          <li key={number}>
            <Go to={`/purchases?${new URLSearchParams({ find: number })}`} data-row>
              {number}
            </Go>
            , which differs in one digit
          </li>
        ))}
        {references.map((row) => (
          <Reference key={row.id} row={row} />
        ))}
        {isElsewhere ? (
          <li>
            <Go to={`/purchases?${new URLSearchParams({ find: text, environment: other })}`} data-row>
              {text} in {other}
            </Go>
          </li>
        ) : null}
      </ul>
    </Panel>
  );
}

function Reference({ row: { id, reference } }: { readonly row: Row<'purchase.list'> }) {
  return (
    <li>
      <Go to={purchasePath(id)} data-row>
        {reference}
      </Go>
    </li>
  );
}
