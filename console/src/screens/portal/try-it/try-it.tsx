/**
 * Buys with a test key as the merchant's own program would, and shows what went both ways. Where
 * the test wallet is empty it pays play money in, with the same key.
 */
import { useMutation } from '@tanstack/react-query';
import { type RefObject, useRef, useState } from 'react';
import type { Output } from '../../../api/operations.ts';
import { ask } from '../../../api/run.ts';
import { Button, LinkButton } from '../../../widgets/button.tsx';
import { Form, FormActs, SelectField, TextField } from '../../../widgets/field.tsx';
import { purchasePath } from '../../../widgets/go.tsx';
import { Hint, Trouble } from '../../../widgets/notes.tsx';
import { Columns, Page, Panel } from '../../../widgets/page.tsx';
import { Exchange, isEmpty, isTaken } from './exchange.tsx';
import { PayIn } from './pay-in.tsx';
import { stories } from './stories.ts';
import { type TestKey, TestKeyPanel, useTestKey } from './test-key.tsx';

const networks = [
  { value: 'MTN', name: 'MTN' },
  { value: 'GLO', name: 'Glo' },
  { value: 'AIRTEL', name: 'Airtel' },
  { value: '9MOBILE', name: '9mobile' },
];
const modes = [
  { value: 'sync', name: 'Sync: the answer waits for its end' },
  { value: 'async', name: 'Async: the answer comes at once' },
];

type Tried =
  | { readonly what: 'purchase'; readonly told: Output<'merchant_purchase.try'> }
  | { readonly what: 'deposit'; readonly told: Output<'deposit.try'> };

export function TryIt() {
  const key = useTestKey();
  const [tried, setTried] = useState<Tried>();
  const buy = useRef<HTMLButtonElement>(null);
  const showDeposit = (told: Output<'deposit.try'>) => {
    setTried({ what: 'deposit', told });
    // Its form goes, and with it the focus.
    if (isTaken(told)) buy.current?.focus();
  };
  return (
    <Page
      title="Try it"
      lead="Buy airtime with a test key. It goes over the API, as from your own program. No network is asked, and nobody is charged."
    >
      <Columns>
        <TestKeyPanel />
        <Panel title="What to buy">
          {key === undefined ? (
            <Hint>Choose a key first.</Hint>
          ) : (
            <Purchase
              key={key.credential}
              testKey={key}
              button={buy}
              onTried={(told) => setTried({ what: 'purchase', told })}
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

/** Until a deposit was taken, it is offered. */
function needsMoney({ what, told }: Tried): boolean {
  return what === 'purchase' ? isEmpty(told) : !isTaken(told);
}

function Shown({ tried: { what, told } }: { readonly tried: Tried }) {
  return what === 'deposit' ? (
    <Exchange tried={told} taken="The money is in your test wallet, less the fee. Now buy again." />
  ) : (
    <Exchange
      tried={told}
      taken="The purchase is among yours."
      acts={<LinkButton to={purchasePath(told.reference)}>See the purchase</LinkButton>}
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
    number: stories[0]?.number ?? '',
    network: 'MTN',
    amount: '100',
    mode: 'sync',
  });
  const set = (changed: Partial<Wanted>) => setWanted((all) => ({ ...all, ...changed }));
  const sent = useMutation({
    // A reference stands for one purchase: each try is another one.
    mutationFn: () =>
      ask('merchant_purchase.try', {
        ...testKey,
        ...(wanted as { network: 'MTN'; mode: 'sync' } & Wanted),
        reference: `try-${crypto.randomUUID().slice(0, 13)}`,
      }),
    onSuccess: onTried,
  });
  return (
    <Form onSubmit={() => sent.mutate()} label="What to buy">
      <SelectField
        label="What is to happen"
        hint={`The number says it: ${wanted.number}`}
        choices={stories.map(({ number, name }) => ({ value: number, name }))}
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
        label="How it is asked for"
        choices={modes}
        value={wanted.mode}
        onChange={(event) => set({ mode: event.target.value })}
      />
      {sent.error === null ? null : <Trouble error={sent.error} />}
      <FormActs>
        <Button
          ref={button}
          type="submit"
          look="main"
          busy={sent.isPending ? 'Buying: waiting for the answer…' : undefined}
        >
          Buy
        </Button>
      </FormActs>
    </Form>
  );
}
