/** Pays play money into the test wallet, by the request that the merchant's program would send. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Output } from '../../../api/operations.ts';
import { ask } from '../../../api/run.ts';
import { readTyped } from '../../../api/typed-number.ts';
import { Button } from '../../../widgets/button.tsx';
import { Form, FormActs, TextField } from '../../../widgets/field.tsx';
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
      ask('deposit.try', {
        ...testKey,
        amount: 'text' in read ? read.text : amount,
        // A reference stands for one deposit: each press is another one.
        reference: `try-${crypto.randomUUID().slice(0, 13)}`,
      }),
    onSuccess: (tried) => {
      void queries.invalidateQueries();
      onTried(tried);
    },
  });
  return (
    <Panel
      title="Your test wallet has too little"
      note="Pay play money in with the same key, then buy again. Nobody is charged."
    >
      <Form onSubmit={() => 'text' in read && paid.mutate()} label="Pay play money in">
        <TextField
          label="Deposit in naira"
          inputMode="decimal"
          autoComplete="off"
          value={amount}
          error={'fault' in read && amount !== '' ? `This must be ${read.fault}.` : undefined}
          onChange={(event) => setAmount(event.target.value)}
        />
        {paid.error === null ? null : <Trouble error={paid.error} />}
        <FormActs>
          <Button
            type="submit"
            look="main"
            busy={paid.isPending ? 'Paying in: waiting for the answer…' : undefined}
          >
            Pay in
          </Button>
        </FormActs>
      </Form>
    </Panel>
  );
}
