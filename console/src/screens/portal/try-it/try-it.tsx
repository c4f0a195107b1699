/**
 * Buys with a test key as the merchant's program would, and shows the request and response. Offers
 * test funds if the test wallet is too low.
 */
import { useMutation } from '@tanstack/react-query';
import { type RefObject, useRef, useState } from 'react';
import type { Output } from '../../../api/operations.ts';
import { runOperation } from '../../../api/run.ts';
import { Button, LinkButton } from '../../../widgets/button.tsx';
import { Form, FormActions, SelectField, TextField } from '../../../widgets/field.tsx';
import { purchasePath } from '../../../widgets/go.tsx';
import { Hint, Trouble } from '../../../widgets/notes.tsx';
import { Columns, Page, Panel } from '../../../widgets/page.tsx';
import { Exchange, isEmpty, isTaken } from './exchange.tsx';
import { PayIn } from './pay-in.tsx';
import { scenarios } from './scenarios.ts';
import { type TestKey, TestKeyPanel, useTestKey } from './test-key.tsx';

const networks = [
  { value: 'MTN', name: 'MTN' },
  { value: 'GLO', name: 'Glo' },
  { value: 'AIRTEL', name: 'Airtel' },
  { value: '9MOBILE', name: '9mobile' },
];
const modes = [
  { value: 'sync', name: 'Sync: the response waits for the outcome' },
  { value: 'async', name: 'Async: the response comes immediately' },
];

type Tried =
  | { readonly what: 'purchase'; readonly exchange: Output<'merchant_purchase.try'> }
  | { readonly what: 'deposit'; readonly exchange: Output<'deposit.try'> };

export function TryIt() {
  const key = useTestKey();
  const [tried, setTried] = useState<Tried>();
  const buy = useRef<HTMLButtonElement>(null);
  const showDeposit = (exchange: Output<'deposit.try'>) => {
    setTried({ what: 'deposit', exchange });
    // The form with the focus disappears.
    if (isTaken(exchange)) buy.current?.focus();
  };
  return (
    <Page
      title="Try it"
      lead="Buy airtime with a test key over the API, as your program would. No network is called, and no one is charged."
    >
      <Columns>
        <TestKeyPanel />
        <Panel title="Purchase">
          {key === undefined ? (
            <Hint>Choose a key first.</Hint>
          ) : (
            <Purchase
              key={key.credential}
              testKey={key}
              button={buy}
              onTried={(exchange) => setTried({ what: 'purchase', exchange })}
            />
          )}
        </Panel>
      </Columns>
      {tried !== undefined && key !== undefined && needsMoney(tried) ? (
        <PayIn key={key.credential} testKey={key} onTried={showDeposit} />
      ) : null}
      {tried === undefined ? null : <Shown tried={tried} />}
    </Page>
  );
}

/** Whether test funds are offered: until a deposit succeeds. */
function needsMoney({ what, exchange }: Tried): boolean {
  return what === 'purchase' ? isEmpty(exchange) : !isTaken(exchange);
}

function Shown({ tried: { what, exchange } }: { readonly tried: Tried }) {
  return what === 'deposit' ? (
    <Exchange tried={exchange} taken="The amount, less the fee, is in your test wallet. Buy again." />
  ) : (
    <Exchange
      tried={exchange}
      taken="The purchase is in your list."
      actions={<LinkButton to={purchasePath(exchange.reference)}>Open purchase</LinkButton>}
    />
  );
}

type Wanted = {
  readonly number: string;
  readonly network: string;
  readonly amount: string;
  readonly mode: string;
};

function Purchase({
  testKey,
  button,
  onTried,
}: {
  readonly testKey: TestKey;
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly onTried: (tried: Output<'merchant_purchase.try'>) => void;
}) {
  const [wanted, setWanted] = useState<Wanted>({
    number: scenarios[0]?.number ?? '',
    network: 'MTN',
    amount: '100',
    mode: 'sync',
  });
  const set = (changed: Partial<Wanted>) => setWanted((all) => ({ ...all, ...changed }));
  const sent = useMutation({
    // Each purchase needs a new reference.
    mutationFn: () =>
      runOperation('merchant_purchase.try', {
        ...testKey,
        ...(wanted as { network: 'MTN'; mode: 'sync' } & Wanted),
        reference: `try-${crypto.randomUUID().slice(0, 13)}`,
      }),
    onSuccess: onTried,
  });
  return (
    <Form onSubmit={() => sent.mutate()} label="Purchase">
      <SelectField
        label="Scenario"
        hint={`Test number ${wanted.number}`}
        choices={scenarios.map(({ number, name }) => ({ value: number, name }))}
        value={wanted.number}
        onChange={(event) => set({ number: event.target.value })}
      />
      <SelectField
        label="Network"
        choices={networks}
        value={wanted.network}
        onChange={(event) => set({ network: event.target.value })}
      />
      <TextField
        label="Amount in naira"
        inputMode="decimal"
        autoComplete="off"
        value={wanted.amount}
        onChange={(event) => set({ amount: event.target.value })}
      />
      <SelectField
        label="Mode"
        choices={modes}
        value={wanted.mode}
        onChange={(event) => set({ mode: event.target.value })}
      />
      {sent.error === null ? null : <Trouble error={sent.error} />}
      <FormActions>
        <Button ref={button} type="submit" look="main" busy={sent.isPending ? 'Buying…' : undefined}>
          Buy
        </Button>
      </FormActions>
    </Form>
  );
}
