/** The difference that a change of a route makes, its warnings, and the form that applies it. */
import { useState } from 'react';
import { isRefusal } from '../../api/call.ts';
import { useDescribed } from '../../api/described.ts';
import type { Input, Output } from '../../api/operations.ts';
import { Button } from '../../widgets/button.tsx';
import { DataTable } from '../../widgets/data-table.tsx';
import { CheckField, FormActions } from '../../widgets/field.tsx';
import { Hint, Trouble } from '../../widgets/notes.tsx';
import { OperationForm } from '../../widgets/operation-form.tsx';
import { Stack } from '../../widgets/page.tsx';
import { Nothing } from '../../widgets/values.tsx';
import { type Route, type Strategy, strategyNames } from './route-words.ts';

type Checked = Output<'route.set'>;

const reasons: Readonly<Record<Checked['cannot_serve'][number]['why'], string>> = {
  not_set_up: 'has no credentials',
  product_not_sold: 'does not sell this product',
  kind_not_sold: 'does not sell this kind',
};

export function RouteReview({
  route,
  input,
  checked,
  error,
  onBack,
  onOutdated,
  onClose,
}: {
  /** The route when the editor was opened. Undefined: a new one. */
  readonly route: Route | undefined;
  readonly input: Input<'route.set'>;
  /** Undefined after an error. */
  readonly checked: Checked | undefined;
  readonly error: Error | null;
  readonly onBack: () => void;
  /** Called if another person changed the route meanwhile. */
  readonly onOutdated: () => void;
  readonly onClose: () => void;
}) {
  const operation = useDescribed()?.get('route.set');
  const [isForced, setIsForced] = useState(false);
  const [isWaiting, setIsWaiting] = useState(false);
  const canForce = isRefusal(error) && error.code === 'sells_below_cost';
  const lines = differences(route, input);
  const isOutdated = isRefusal(error) && error.code === 'route_changed';
  const replaced = route === undefined ? (checked?.providers_before ?? []) : [];
  const cannotServe = checked?.cannot_serve ?? [];
  return (
    <Stack>
      {replaced.length === 0 ? null : (
        <Hint tone="bad">This route exists: {replaced.join(', ')}. Applying replaces it.</Hint>
      )}
      {lines.length === 0 ? <Hint>No changes.</Hint> : <Difference lines={lines} />}
      {cannotServe.map(({ provider, why }) => (
        <Hint key={provider} tone="wait">
          {provider} {reasons[why]} and gets no purchases of this route.
        </Hint>
      ))}
      {checked !== undefined && cannotServe.length === checked.providers.length ? (
        <Hint tone="bad">This route sells nothing: none of its providers can serve it.</Hint>
      ) : null}
      {error === null ? null : <Trouble error={error} />}
      {canForce ? (
        <CheckField
          label="Allow selling below cost"
          checked={isForced}
          onChange={(event) => setIsForced(event.target.checked)}
        />
      ) : null}
      {operation !== undefined && lines.length > 0 && (error === null || isForced) ? (
        <OperationForm
          operation={operation}
          shape={{
            given: { ...input, ...(isForced && { force: true }) },
            fields: [],
            review: false,
            verb: 'Apply',
            done: 'Route set for new purchases.',
          }}
          onDone={onClose}
          onWaiting={() => setIsWaiting(true)}
          onClose={isWaiting ? onClose : onBack}
        />
      ) : (
        <FormActions>
          {isOutdated ? <Button onClick={onOutdated}>Close</Button> : <Button onClick={onBack}>Back</Button>}
        </FormActions>
      )}
    </Stack>
  );
}

type Line = { readonly of: string; readonly before: string; readonly after: string };

function Difference({ lines }: { readonly lines: readonly Line[] }) {
  return (
    <DataTable
      caption="Changes"
      rows={lines}
      keyOf={({ of }) => of}
      columns={[
        { head: 'What', cell: ({ of }) => of },
        { head: 'Before', cell: ({ before }) => (before === '' ? <Nothing /> : before) },
        { head: 'After', cell: ({ after }) => (after === '' ? <Nothing /> : after) },
      ]}
    />
  );
}

/** Returns the differences: the strategy, and the place and share of each provider. */
function differences(route: Route | undefined, input: Input<'route.set'>): readonly Line[] {
  const after = { providers: input.providers, shares: input.share ?? {} };
  const before = route ?? { providers: [], shares: {} };
  const names = [...new Set([...after.providers, ...before.providers])];
  return [
    {
      of: 'Strategy',
      before: route === undefined ? '' : strategyNames[route.strategy],
      after: strategyNames[(input.strategy ?? 'order') as Strategy],
    },
    ...names.map((name) => ({ of: name, before: placeText(before, name), after: placeText(after, name) })),
  ].filter((line) => line.before !== line.after);
}

function placeText(
  {
    providers,
    shares,
  }: { readonly providers: readonly string[]; readonly shares: Readonly<Record<string, number>> },
  name: string,
): string {
  const at = providers.indexOf(name);
  if (at === -1) return '';
  const place = `Position ${at + 1}`;
  return shares[name] === undefined ? place : `${place}, share ${shares[name]}`;
}
