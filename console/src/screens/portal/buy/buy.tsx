/**
 * Buys one item from the merchant's wallet. Shows the price, the remaining balance and the verified
 * customer first.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Output } from '../../../api/operations.ts';
import { type CounterProduct, counterProducts, fieldsOf } from '../../../api/products.ts';
import { useAnswer, usePages } from '../../../api/queries.ts';
import { runOperation } from '../../../api/run.ts';
import { useMay } from '../../../api/session.ts';
import { readTyped } from '../../../api/typed-number.ts';
import { productText } from '../../../design/format.ts';
import { Button, LinkButton } from '../../../widgets/button.tsx';
import { Form, FormActions, SelectField, TextField } from '../../../widgets/field.tsx';
import { useFilters } from '../../../widgets/filters.ts';
import { purchasePath } from '../../../widgets/go.tsx';
import { Hint, Loading, Trouble } from '../../../widgets/notes.tsx';
import { OperationButton } from '../../../widgets/operation-button.tsx';
import { Columns, Facts, Page, Panel, Stack } from '../../../widgets/page.tsx';
import { Environment, Money } from '../../../widgets/values.tsx';

type Wanted = {
  readonly product: CounterProduct;
  readonly network: string;
  readonly plan: string;
  readonly amount: string;
  readonly number: string;
  readonly phone: string;
};

type Sent = ReturnType<typeof inputOf>;
type Quote = Output<'merchant_purchase.quote'>;

const empty: Wanted = { product: 'airtime', network: '', plan: '', amount: '', number: '', phone: '' };

export function Buy() {
  const may = useMay();
  return (
    <Page
      title="Buy"
      lead="Buy one item from your wallet. You see the price and the customer before you buy."
      actions={<LinkButton to="/recipients">Saved recipients</LinkButton>}
    >
      {may('merchant_purchase.buy') ? <Counter /> : <Hint>You need the finance or owner role to buy.</Hint>}
    </Page>
  );
}

function Counter() {
  const keys = usePages('credential.list', { limit: 200 });
  const [{ recipient = '' }] = useFilters();
  const [chosen, setChosen] = useState(recipient);
  // A purchase is priced and bought by one key.
  const usable = keys.rows
    .filter(({ state, allowed_ips: ips }) => state === 'active' && ips.length === 0)
    .sort((one, other) => one.environment.localeCompare(other.environment));
  const saved = useAnswer('recipient.show', { recipient: chosen }, { enabled: chosen !== '' });
  if (keys.error !== null) return <Trouble error={keys.error} again={keys.again} />;
  if (keys.isLoading) return <Loading what="your keys" />;
  if (usable.length === 0) {
    return <Hint>Create an API key without an IP list first. Purchases count against its caps.</Hint>;
  }
  const start: Wanted | undefined =
    chosen === ''
      ? empty
      : saved.data === undefined
        ? undefined
        : { ...empty, product: saved.data.product, network: saved.data.network, number: saved.data.number };
  return (
    <Stack>
      <PickRecipient chosen={chosen} onChoose={setChosen} />
      {saved.error === null ? null : <Trouble error={saved.error} />}
      {start === undefined ? (
        saved.error === null && <Loading what="the recipient" />
      ) : (
        <Sale key={chosen} start={start} keys={usable} />
      )}
    </Stack>
  );
}

/** Also shown without recipients: the first one must not move a button while it is pressed. */
function PickRecipient({
  chosen,
  onChoose,
}: {
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}) {
  const pages = usePages('recipient.list', { limit: 200 });
  const choices = pages.rows.map(({ id, name, product, network, hint }) => ({
    value: id,
    name: `${name} (${productText(product)}, ${network}, ${hint})`,
  }));
  const isListed = chosen === '' || choices.some(({ value }) => value === chosen);
  return (
    <Panel title="Recipient">
      <Stack>
        <SelectField
          label="Saved recipient"
          choices={[
            { value: '', name: 'A new recipient' },
            ...(isListed ? [] : [{ value: chosen, name: 'The chosen recipient' }]),
            ...choices,
          ]}
          value={chosen}
          onChange={(event) => onChoose(event.target.value)}
        />
        {pages.isMore ? <Button onClick={pages.more}>Load more recipients</Button> : null}
      </Stack>
    </Panel>
  );
}

type Key = Output<'credential.list'>['data'][number];

function Sale({ start, keys }: { readonly start: Wanted; readonly keys: readonly Key[] }) {
  const [wanted, setWanted] = useState(start);
  const [key, setKey] = useState(keys[0]?.key ?? '');
  /** The reference belongs to the priced purchase: a repeat under it buys nothing twice. */
  const [priced, setPriced] = useState<{ readonly sent: Sent; readonly reference: string }>();
  const quoted = useMutation({
    mutationFn: (sent: Sent) => runOperation('merchant_purchase.quote', sent),
    onSuccess: (_, sent) => setPriced({ sent, reference: `portal-${crypto.randomUUID()}` }),
  });
  const set = (changed: Partial<Wanted>) => {
    setWanted((all) => ({ ...all, ...changed }));
    setPriced(undefined);
  };
  const environment = keys.find((one) => one.key === key)?.environment ?? 'live';
  const quote = () => {
    const read = readAmount(wanted.amount);
    if ('text' in read) quoted.mutate(inputOf(key, { ...wanted, amount: read.text }));
  };
  return (
    <Columns>
      <Panel title="Item">
        <Form onSubmit={quote} label="Item">
          <SelectField
            label="Pay with key"
            hint="Its environment and spend caps apply."
            choices={keys.map((one) => ({
              value: one.key,
              name: `${one.label === '' ? one.key : one.label} (${one.environment})`,
            }))}
            value={key}
            onChange={(event) => {
              setKey(event.target.value);
              setPriced(undefined);
            }}
          />
          <Item key={environment} environment={environment} wanted={wanted} onChange={set} />
          {quoted.error === null ? null : <Trouble error={quoted.error} />}
          <FormActions>
            <Button type="submit" busy={quoted.isPending ? 'Checking…' : undefined}>
              Show price
            </Button>
          </FormActions>
        </Form>
      </Panel>
      <Panel title="Price">
        {priced === undefined || quoted.data === undefined ? (
          <p>The price, what remains in your wallet and the customer appear here before you buy.</p>
        ) : (
          <Priced
            key={priced.reference}
            {...priced}
            quote={quoted.data}
            onAgain={() => setPriced(undefined)}
          />
        )}
      </Panel>
    </Columns>
  );
}

/** The gateway refuses a missing amount. */
function readAmount(typed: string) {
  return typed.trim() === '' ? { text: '' } : readTyped('naira', typed);
}

/** `amount` is in the spelling of operations. */
function inputOf(credential: string, { product, network, plan, amount, number, phone }: Wanted) {
  return {
    credential,
    product,
    network,
    amount,
    number: number.trim(),
    ...(plan !== '' && { plan }),
    ...(fieldsOf(product).isBill && phone.trim() !== '' && { phone: phone.trim() }),
  };
}

function Item({
  environment,
  wanted: { product, network, plan, amount, number, phone },
  onChange,
}: {
  readonly environment: 'live' | 'test';
  readonly wanted: Wanted;
  readonly onChange: (changed: Partial<Wanted>) => void;
}) {
  const prices = usePages('price.list', { environment, product, limit: 200 });
  const { isMore, isLoadingMore, more } = prices;
  useEffect(() => {
    if (isMore && !isLoadingMore) more();
  }, [isMore, isLoadingMore, more]);
  const rows = prices.isOfBefore ? [] : prices.rows;
  const networks = [...new Set(rows.map((row) => row.network))];
  // A saved recipient can spell the network in another letter case.
  const known = networks.find((one) => one.toLowerCase() === network.toLowerCase());
  const plans = rows.filter((row) => row.network === known && row.plan_code !== null);
  const { numberLabel, networkLabel, isBill } = fieldsOf(product);
  const row = plans.find((one) => one.plan_code === plan);
  const fixed = row !== undefined && row.min !== null && row.min === row.max ? row.min : undefined;
  const read = readAmount(amount);
  return (
    <>
      <SelectField
        label="Product"
        choices={counterProducts.map((value) => ({ value, name: productText(value) }))}
        value={product}
        onChange={(event) =>
          onChange({ product: event.target.value as CounterProduct, network: '', plan: '' })
        }
      />
      {prices.error === null ? null : <Trouble error={prices.error} again={prices.again} />}
      {!prices.isLoading && rows.length === 0 && prices.error === null && !prices.isOfBefore ? (
        <Hint>{productText(product)} is not enabled for you. Ask the gateway’s operator.</Hint>
      ) : null}
      <SelectField
        label={networkLabel}
        choices={[{ value: '', name: 'Choose…' }, ...networks.map((value) => ({ value, name: value }))]}
        value={known ?? ''}
        onChange={(event) => onChange({ network: event.target.value, plan: '' })}
      />
      {plans.length === 0 ? null : (
        <SelectField
          label="Plan"
          choices={[
            { value: '', name: 'Choose…' },
            ...plans.map((one) => ({ value: one.plan_code ?? '', name: one.name })),
          ]}
          value={plan}
          onChange={(event) => {
            const next = plans.find((one) => one.plan_code === event.target.value);
            const isFixed = next !== undefined && next.min !== null && next.min === next.max;
            onChange({ plan: event.target.value, ...(isFixed && { amount: next.min ?? '' }) });
          }}
        />
      )}
      <TextField
        label="Amount in naira"
        inputMode="decimal"
        placeholder="0.00"
        autoComplete="off"
        readOnly={fixed !== undefined}
        value={amount}
        error={'fault' in read ? `Must be ${read.fault}.` : undefined}
        onChange={(event) => onChange({ amount: event.target.value })}
      />
      <TextField
        label={numberLabel}
        inputMode={isBill ? 'text' : 'tel'}
        autoComplete="off"
        value={number}
        onChange={(event) => onChange({ number: event.target.value })}
      />
      {isBill ? (
        <TextField
          label="Mobile number of the customer"
          inputMode="tel"
          autoComplete="off"
          value={phone}
          onChange={(event) => onChange({ phone: event.target.value })}
        />
      ) : null}
    </>
  );
}

function Priced({
  sent,
  reference,
  quote,
  onAgain,
}: {
  readonly sent: Sent;
  readonly reference: string;
  readonly quote: Quote;
  readonly onAgain: () => void;
}) {
  const queries = useQueryClient();
  const router = useRouter();
  const bought = useMutation({
    mutationFn: () => runOperation('merchant_purchase.buy', { ...sent, reference }),
    onSuccess: ({ id }) => {
      void queries.invalidateQueries();
      router.history.push(purchasePath(id));
    },
  });
  const { customer, environment } = quote;
  const isShort = quote.remaining.startsWith('-');
  const isRejected = customer?.state === 'rejected';
  return (
    <Stack>
      <Facts
        facts={[
          ['Item', `${productText(sent.product)}, ${sent.network}`],
          ['Number', sent.number],
          customer === null || customer.state !== 'verified'
            ? undefined
            : [
                'Customer',
                customer.name === null || customer.name === '' ? 'Known, without a name' : customer.name,
              ],
          customer?.address ? ['Address', customer.address] : undefined,
          ['Amount', <Money key="a" amount={quote.amount} />],
          ['Price', <Money key="c" amount={quote.charge} />],
          ['In your wallet', <Money key="w" amount={quote.available} />],
          ['Remains', <Money key="r" amount={quote.remaining} />],
          ['Environment', <Environment key="e" environment={environment} />],
        ]}
      />
      {isRejected ? <Hint tone="bad">The biller rejected this customer: {customer.message}</Hint> : null}
      {customer?.state === 'unavailable' ? (
        <Hint tone="wait">
          The biller does not answer, so the customer is not verified. Try again shortly.
        </Hint>
      ) : null}
      {isShort ? <Hint tone="bad">Your balance does not cover the price. Add funds first.</Hint> : null}
      {bought.error === null ? null : (
        <>
          <Trouble error={bought.error} />
          <Hint>Press Buy again if you saw no answer: this item is bought once.</Hint>
        </>
      )}
      <FormActions>
        <Button onClick={onAgain}>Change</Button>
        <OperationButton
          name="recipient.add"
          verb="Save recipient"
          lead="You can pick a saved recipient when you buy again."
          given={{ product: sent.product, network: sent.network, number: sent.number }}
          start={{ name: customer?.name ?? '' }}
          fields={['name']}
          done="Recipient saved."
        />
        <Button
          look="main"
          disabled={isShort || isRejected}
          busy={bought.isPending ? 'Buying…' : undefined}
          onClick={() => bought.mutate()}
        >
          Buy
        </Button>
      </FormActions>
    </Stack>
  );
}
