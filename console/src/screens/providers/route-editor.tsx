/** A button that opens the editor of a route: providers in order, shares and strategy. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useDescribed } from '../../api/described.ts';
import type { Input } from '../../api/operations.ts';
import { runOperation } from '../../api/run.ts';
import { useMay } from '../../api/session.ts';
import { productText, words } from '../../design/format.ts';
import { Button } from '../../widgets/button.tsx';
import { Dialog } from '../../widgets/dialog.tsx';
import { useEnvironment } from '../../widgets/environment.ts';
import { Form, FormActions, SelectField } from '../../widgets/field.tsx';
import { Empty, Hint } from '../../widgets/notes.tsx';
import { OperationField } from '../../widgets/operation-field.tsx';
import { Stack } from '../../widgets/page.tsx';
import styles from './route-editor.module.css';
import { RouteReview } from './route-review.tsx';
import { type Account, type Route, type Strategy, strategyNames } from './route-words.ts';

type EditorProps = {
  /** Absent: a new route. */
  readonly route?: Route;
  readonly accounts: readonly Account[];
};

/** Renders nothing for users who may not set routes. */
export function RouteEditor({ verb, ...props }: EditorProps & { readonly verb: string }) {
  const [isOpen, setIsOpen] = useState(false);
  if (!useMay()('route.set')) return null;
  const { route } = props;
  const title =
    route === undefined
      ? 'Set a route'
      : ['Route of', productText(route.product), route.network, route.kind]
          .filter((word) => word !== '*')
          .join(' ');
  return (
    <>
      <Button
        aria-haspopup="dialog"
        look={route === undefined ? 'main' : 'plain'}
        onClick={() => setIsOpen(true)}
      >
        {verb}
      </Button>
      {isOpen ? (
        <Dialog
          open
          onClose={() => setIsOpen(false)}
          title={title}
          lead="For purchases that are accepted from now on."
          wide
        >
          <Editor {...props} onClose={() => setIsOpen(false)} />
        </Dialog>
      ) : null}
    </>
  );
}

/** A provider of the route with the share that was typed. */
type Entry = { readonly provider: string; readonly share: string };
type Place = Readonly<Record<'product' | 'network' | 'kind', string>>;

function Editor({ route, accounts, onClose }: EditorProps & { readonly onClose: () => void }) {
  const environment = useEnvironment();
  const queries = useQueryClient();
  const [place, setPlace] = useState<Place>({
    product: route?.product ?? '',
    network: route?.network ?? '',
    kind: route === undefined || route.kind === '*' ? '' : route.kind,
  });
  const [strategy, setStrategy] = useState<Strategy>(route?.strategy ?? 'order');
  const [entries, setEntries] = useState<readonly Entry[]>(
    (route?.providers ?? []).map((provider) => ({ provider, share: String(route?.shares[provider] ?? '') })),
  );
  const [isChecked, setIsChecked] = useState(false);
  const preview = useMutation({
    mutationFn: (input: Input<'route.set'>) => runOperation('route.set', { ...input, preview: true }),
  });
  const withShares = strategy === 'shares';
  const isWrong = withShares && entries.some(({ share }) => !isShare(share));
  const missing = { product: place.product === '', network: place.network.trim() === '' };
  const review = () => {
    setIsChecked(true);
    if (entries.length === 0 || missing.product || missing.network || isWrong) return;
    const { product, network, kind } = place;
    const shares = entries.flatMap(({ provider, share }) =>
      share === '' ? [] : [[provider, Number(share)] as const],
    );
    preview.mutate({
      environment,
      product,
      network: network.trim(),
      ...(kind !== '' && { kind }),
      providers: entries.map(({ provider }) => provider),
      strategy,
      ...(withShares && { share: Object.fromEntries(shares) }),
      ...(route !== undefined && { version: route.version }),
    } as Input<'route.set'>);
  };
  if (preview.variables !== undefined && !preview.isPending) {
    return (
      <RouteReview
        route={route}
        input={preview.variables}
        checked={preview.data}
        error={preview.error}
        onBack={preview.reset}
        onOutdated={() => {
          void queries.invalidateQueries({ queryKey: ['route.list'] });
          onClose();
        }}
        onClose={onClose}
      />
    );
  }
  return (
    <Form onSubmit={review} label="Route">
      {route === undefined ? (
        <PlaceFields place={place} missing={isChecked ? missing : {}} onPlace={setPlace} />
      ) : null}
      <SelectField
        label="Strategy"
        hint={
          withShares ? 'Weights from 1 to 1000. Providers without a share are tried after the others.' : null
        }
        choices={Object.entries(strategyNames).map(([value, name]) => ({ value, name }))}
        value={strategy}
        onChange={(event) => setStrategy(event.target.value as Strategy)}
      />
      <ProviderList entries={entries} withShares={withShares} onEntries={setEntries} />
      {entries.length === 0 ? (
        <Empty title="No providers.">
          {isChecked ? 'Add a provider, or remove the route in the list.' : 'Add a provider.'}
        </Empty>
      ) : null}
      {isChecked && isWrong ? <Hint tone="bad">Shares must be whole numbers from 1 to 1000.</Hint> : null}
      <AddProvider
        choices={accounts.filter(({ provider }) => entries.every((entry) => entry.provider !== provider))}
        onAdd={(provider) => setEntries([...entries, { provider, share: '' }])}
      />
      <FormActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="main" busy={preview.isPending ? 'Checking…' : undefined}>
          Review
        </Button>
      </FormActions>
    </Form>
  );
}

function isShare(text: string): boolean {
  return text === '' || (/^[0-9]{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= 1_000);
}

/** The fields of a new route. */
function PlaceFields({
  place,
  missing,
  onPlace,
}: {
  readonly place: Place;
  readonly missing: Readonly<Partial<Record<keyof Place, boolean>>>;
  readonly onPlace: (place: Place) => void;
}) {
  const properties = useDescribed()?.get('route.set')?.input.properties;
  return (['product', 'network', 'kind'] as const).map((name) => {
    const schema = properties?.[name];
    return schema === undefined ? null : (
      <OperationField
        key={name}
        label={words(name)}
        schema={schema}
        value={place[name]}
        error={missing[name] === true ? 'Required.' : undefined}
        isRequired={name !== 'kind'}
        onValue={(value) => onPlace({ ...place, [name]: String(value) })}
      />
    );
  });
}

/** The providers in order. Alt and the arrows move the one that has the focus. */
function ProviderList({
  entries,
  withShares,
  onEntries,
}: {
  readonly entries: readonly Entry[];
  readonly withShares: boolean;
  readonly onEntries: (entries: readonly Entry[]) => void;
}) {
  const list = useRef<HTMLOListElement>(null);
  const [said, setSaid] = useState('');
  const move = (at: number, by: -1 | 1) => {
    const [entry, other] = [entries[at], entries[at + by]];
    if (entry === undefined || other === undefined) return;
    const next = entries.map((one) => (one === entry ? other : one === other ? entry : one));
    flushSync(() => onEntries(next));
    setSaid(`${entry.provider} is ${at + by + 1} of ${entries.length}`);
    // The browser takes the focus from an element that moves.
    const buttons = list.current?.children[at + by]?.querySelectorAll<HTMLButtonElement>('[data-by]');
    const usable = [...(buttons ?? [])].filter(({ disabled }) => !disabled);
    (usable.find(({ dataset }) => dataset.by === String(by)) ?? usable[0])?.focus();
  };
  const total = entries.reduce((sum, { share }) => sum + (isShare(share) ? Number(share) : 0), 0);
  return (
    <Stack>
      <ol ref={list} className={styles.providers} aria-label="Providers, in order">
        {entries.map(({ provider, share }, at) => (
          <li
            key={provider}
            className={styles.provider}
            onKeyDown={(event) => {
              const by = stepOf(event);
              if (by === 0) return;
              event.preventDefault();
              move(at, by);
            }}
          >
            <span className={styles.name}>
              <span className={styles.place}>{at + 1}.</span> {provider}
            </span>
            {withShares ? (
              <span className={styles.share}>
                <input
                  aria-label={`Share of ${provider}`}
                  aria-invalid={isShare(share) ? undefined : true}
                  inputMode="numeric"
                  autoComplete="off"
                  value={share}
                  onChange={({ target }) =>
                    onEntries(
                      entries.map((one) =>
                        one.provider === provider ? { provider, share: target.value.trim() } : one,
                      ),
                    )
                  }
                />
                <span className={styles.place}>{percentText(share, total)}</span>
              </span>
            ) : null}
            <span className={styles.buttons}>
              <Button
                data-by="-1"
                disabled={at === 0}
                aria-label={`Move ${provider} up`}
                onClick={() => move(at, -1)}
              >
                ↑
              </Button>
              <Button
                data-by="1"
                disabled={at === entries.length - 1}
                aria-label={`Move ${provider} down`}
                onClick={() => move(at, 1)}
              >
                ↓
              </Button>
              <Button
                aria-label={`Remove ${provider}`}
                onClick={() => onEntries(entries.filter((one) => one.provider !== provider))}
              >
                ✕
              </Button>
            </span>
          </li>
        ))}
      </ol>
      <span role="status" className="only-read">
        {said}
      </span>
    </Stack>
  );
}

function stepOf({ altKey, key }: KeyboardEvent): -1 | 0 | 1 {
  if (!altKey) return 0;
  return key === 'ArrowUp' ? -1 : key === 'ArrowDown' ? 1 : 0;
}

function percentText(share: string, total: number): string {
  if (share === '' || !isShare(share)) return 'after the others';
  return `${Math.round((100 * Number(share)) / total)} %`;
}

function AddProvider({
  choices,
  onAdd,
}: {
  readonly choices: readonly Account[];
  readonly onAdd: (provider: string) => void;
}) {
  const [chosen, setChosen] = useState('');
  const provider = choices.some((one) => one.provider === chosen) ? chosen : '';
  if (choices.length === 0) return null;
  return (
    <div className={styles.add}>
      <SelectField
        label="Add a provider"
        choices={[
          { value: '', name: 'Choose…' },
          ...choices.map(({ provider: value, processes }) => ({
            value,
            name: processes === 0 ? `${value} (no credentials)` : value,
          })),
        ]}
        value={provider}
        onChange={(event) => setChosen(event.target.value)}
      />
      <Button disabled={provider === ''} onClick={() => onAdd(provider)}>
        Add
      </Button>
    </div>
  );
}
