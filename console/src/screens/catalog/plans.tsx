/**
 * The plans of a product as a table whose prices are changed in place. Changes are kept until they
 * are applied or discarded, also while other screens are open.
 */
import { useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, useRef, useState } from 'react';
import { isRefusal } from '../../api/call.ts';
import { planProducts } from '../../api/products.ts';
import { useAnswer } from '../../api/queries.ts';
import { runOperation } from '../../api/run.ts';
import { useMay, useSession } from '../../api/session.ts';
import { countText, kindText, networkText, productText, words } from '../../design/format.ts';
import { Button } from '../../widgets/button.tsx';
import { type Column, DataTable } from '../../widgets/data-table.tsx';
import { FilterBar } from '../../widgets/filter-bar.tsx';
import { useFilters } from '../../widgets/filters.ts';
import { Empty, Loading, Trouble } from '../../widgets/notes.tsx';
import { useRolesOf } from '../../widgets/operation-button.tsx';
import { Panel } from '../../widgets/page.tsx';
import { Badge, Code, Money, Nothing } from '../../widgets/values.tsx';
import {
  type Catalog,
  changedPlans,
  countEdits,
  type Draft,
  type Field,
  faultsByPlan,
  fileOf,
  hasFaults,
  type Plan,
  type PriceField,
  priceFields,
  priceFieldsOf,
  rebase,
  withEdit,
} from './draft.ts';
import { matches } from './match-plan.ts';
import { PriceCell, SaleCell, startText, yesNo } from './plan-cells.tsx';
import styles from './plans.module.css';
import { lossText, Review } from './review.tsx';

type Product = (typeof planProducts)[number];

/** The changes that are not applied yet, by user and product. */
const drafts = new Map<string, Draft>();

export function Plans() {
  const [{ product: named }] = useFilters();
  const product = planProducts.find((one) => one === named) ?? 'data';
  return <PlansOf key={product} product={product} />;
}

function PlansOf({ product }: { readonly product: Product }) {
  const { data, error, refetch } = useAnswer('catalog.list', { product });
  const owned = `${useSession()?.user.email} ${product}`;
  const [draft, setDraft] = useState(() => drafts.get(owned));
  const keep = (next: Draft | undefined) => {
    const kept = next !== undefined && countEdits(next) > 0 ? next : undefined;
    if (kept === undefined) drafts.delete(owned);
    else drafts.set(owned, kept);
    setDraft(kept);
  };
  // Reading the list again must not change typed values.
  const shown = draft?.base ?? data;
  return (
    <>
      <FilterBar
        filters={[
          {
            name: 'product',
            label: 'Product',
            usual: 'data',
            choices: planProducts.map((value) => ({ value, name: productText(value) })),
          },
          { name: 'network', label: 'Network or biller', choices: networksOf(shown) },
          { name: 'find', label: 'Plan' },
        ]}
      />
      {error === null ? null : <Trouble error={error} again={() => void refetch()} />}
      {shown === undefined && error === null ? <Loading what="plans" /> : null}
      {shown === undefined ? null : (
        <PlanTable
          catalog={shown}
          draft={draft}
          onDraft={keep}
          onReload={async () => {
            const { data: fresh } = await refetch();
            if (fresh !== undefined && draft !== undefined) keep(rebase(draft, fresh));
          }}
        />
      )}
    </>
  );
}

function networksOf(catalog: Catalog | undefined) {
  const names = [...new Set(catalog?.plans.map(({ network }) => network))];
  return names.map((name) => ({ value: name, name: networkText(name) }));
}

function PlanTable({
  catalog,
  draft,
  onDraft,
  onReload,
}: {
  readonly catalog: Catalog;
  readonly draft: Draft | undefined;
  readonly onDraft: (draft: Draft | undefined) => void;
  readonly onReload: () => Promise<void>;
}) {
  const mayChange = useMay()('catalog.import');
  const roles = useRolesOf('catalog.import');
  const place = useRef<HTMLDivElement>(null);
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const [{ network, find = '' }] = useFilters();
  const preview = useMutation({
    mutationFn: ({ plans, version }: { readonly plans: readonly Plan[]; readonly version: string }) =>
      runOperation('catalog.import', { content: fileOf(plans), source: 'console', version }),
    onSuccess: ({ changes }) =>
      setProblems(
        Object.fromEntries(
          changes.flatMap(({ subject, losses: [worst] }) =>
            worst === undefined ? [] : [[subject, lossText(worst)]],
          ),
        ),
      ),
    onError: (refused, { plans }) => {
      if (isRefusal(refused)) setProblems(faultsByPlan(plans, refused.fields));
    },
  });
  const plans = catalog.plans.filter(
    (plan) => (network === undefined || plan.network === network) && matches(plan, find),
  );
  const edit = (plan: Plan, field: Field, typed: string | boolean) => {
    onDraft(withEdit(draft ?? { base: catalog, edits: {} }, plan, field, typed));
    if (problems[plan.subject] !== undefined) {
      setProblems(({ [plan.subject]: _, ...others }) => others);
    }
  };
  const discard = () => {
    onDraft(undefined);
    setProblems({});
  };
  const review = () => {
    if (draft === undefined) return;
    if (hasFaults(draft)) place.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
    else preview.mutate({ plans: changedPlans(draft), version: draft.base.version });
  };
  const count = draft === undefined ? 0 : countEdits(draft);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Enter on a row goes to its first field.
    <div ref={place} onKeyDown={enterRow} className={styles.editor}>
      <Panel
        title="Plans"
        note={
          mayChange
            ? 'Change prices in the table, then review the difference. Cost and margin are those of the first live provider.'
            : `Cost and margin are those of the first live provider. ${words(roles)} role required to change prices.`
        }
        bare
      >
        {plans.length === 0 ? (
          <Empty title="No plans.">
            {catalog.plans.length === 0 ? 'Import a file or a provider’s list.' : 'Remove a filter.'}
          </Empty>
        ) : (
          <DataTable
            caption="Plans"
            rows={plans}
            keyOf={({ subject }) => subject}
            columns={columnsOf({ catalog, draft, problems, edit: mayChange ? edit : undefined })}
          />
        )}
      </Panel>
      {count === 0 ? null : (
        <div className={styles.bar} data-screen-only>
          <span role="status">
            {countText(count)} {count === 1 ? 'change' : 'changes'}
            {draft !== undefined && hasFaults(draft) ? '; correct the marked ones' : ''}
          </span>
          <Button onClick={discard}>Discard</Button>
          <Button look="main" onClick={review}>
            Review
          </Button>
        </div>
      )}
      {preview.isIdle ? null : (
        <Review
          changes={preview.data}
          error={preview.error}
          input={{
            content: fileOf(preview.variables.plans),
            source: 'console',
            version: preview.variables.version,
            apply: true,
          }}
          onApplied={discard}
          onReload={async () => {
            await onReload();
            preview.reset();
          }}
          onClose={preview.reset}
        />
      )}
    </div>
  );
}

/** Goes from a row that has the focus to its first field. */
function enterRow({ key, target }: KeyboardEvent): void {
  if (key === 'Enter' && target instanceof HTMLTableRowElement) target.querySelector('input')?.focus();
}

function columnsOf({
  catalog,
  draft,
  problems,
  edit,
}: {
  readonly catalog: Catalog;
  readonly draft: Draft | undefined;
  readonly problems: Readonly<Record<string, string>>;
  /** Undefined for users who may not change the catalog. */
  readonly edit: ((plan: Plan, field: Field, typed: string | boolean) => void) | undefined;
}): readonly Column<Plan>[] {
  const stateOf = (plan: Plan, field: Field) => {
    const change = draft?.edits[plan.subject]?.[field];
    return {
      plan,
      typed: change?.typed,
      was: change && startText(plan, field, change.from),
      onEdit: (typed: string | boolean) => edit?.(plan, field, typed),
    };
  };
  const used = new Set(catalog.plans.flatMap(priceFieldsOf));
  const prices = (Object.keys(priceFields) as PriceField[]).filter((field) => used.has(field));
  return [
    {
      head: 'Plan',
      cell: ({ name, subject, record }) => (
        <>
          {name} {record.test_only === true ? <Badge tone="test">Test</Badge> : null}
          <span className={styles.plan}>
            <Code>{subject}</Code>
          </span>
        </>
      ),
    },
    { head: 'Network', cell: ({ network }) => networkText(network) },
    ...(catalog.plans.some(({ record }) => record.kind !== undefined)
      ? [{ head: 'Kind', cell: ({ record }: Plan) => kindText(String(record.kind ?? '')) }]
      : []),
    ...prices.map((field): Column<Plan> => {
      const cell = (plan: Plan) => {
        const amount = plan.record[field];
        if (typeof amount !== 'string') return <Nothing />;
        if (edit === undefined) return <Money amount={amount} currency={plan.currency} />;
        const problem = field === priceFieldsOf(plan)[0] ? problems[plan.subject] : undefined;
        return <PriceCell {...stateOf(plan, field)} field={field} amount={amount} problem={problem} />;
      };
      return { head: priceFields[field], figures: true, cell };
    }),
    ...(catalog.plans.some(({ currency }) => currency !== 'NGN')
      ? [{ head: 'Currency', cell: ({ currency }: Plan) => currency }]
      : []),
    { head: 'Cost', figures: true, cell: ({ cost }) => <Money amount={cost} /> },
    {
      head: 'Margin',
      figures: true,
      cell: ({ margin_percent: percent }) => (percent === null ? <Nothing /> : `${percent} %`),
    },
    {
      head: 'On sale',
      cell: (plan) =>
        edit === undefined ? (
          yesNo(plan.active)
        ) : (
          <SaleCell {...stateOf(plan, 'active')} state={yesNo(plan.active)} />
        ),
    },
  ];
}
