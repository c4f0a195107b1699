/** Adds test funds to the test wallet with the request that the merchant's program would send. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Output } from '../../../api/operations.ts';
import { runOperation } from '../../../api/run.ts';
import { readTyped } from '../../../api/typed-number.ts';
import { Button } from '../../../widgets/button.tsx';
import { Form, FormActions, TextField } from '../../../widgets/field.tsx';
import { Trouble } from '../../../widgets/notes.tsx';
import { Panel } from '../../../widgets/page.tsx';
import type { TestKey } from './test-key.tsx';

const USUAL = '5000.00';

export function PayIn({
  testKey,
  onTried,
}: {
  readonly testKey: TestKey;
  readonly onTried: (tried: Output<'deposit.try'>) => void;
}) {
  const [amount, setAmount] = useState(USUAL);
  const read = readTyped('naira', amount);
  const queries = useQueryClient();
  const paid = useMutation({
    mutationFn: () =>
      runOperation('deposit.try', {
        ...testKey,
        amount: 'text' in read ? read.text : amount,
        // Each deposit needs a new reference.
        reference: `try-${crypto.randomUUID().slice(0, 13)}`,
      }),
    onSuccess: (tried) => {
      void queries.invalidateQueries();
      onTried(tried);
    },
  });
  return (
    <Panel
      title="Your test wallet balance is too low"
      note="Add test funds with the same key, then buy again. No one is charged."
    >
      <Form onSubmit={() => 'text' in read && paid.mutate()} label="Add test funds">
        <TextField
          label="Deposit amount in naira"
          inputMode="decimal"
          autoComplete="off"
          value={amount}
          error={'fault' in read && amount !== '' ? `Must be ${read.fault}.` : undefined}
          onChange={(event) => setAmount(event.target.value)}
        />
        {paid.error === null ? null : <Trouble error={paid.error} />}
        <FormActions>
          <Button type="submit" look="main" busy={paid.isPending ? 'Adding funds…' : undefined}>
            Add funds
          </Button>
        </FormActions>
      </Form>
    </Panel>
  );
}
