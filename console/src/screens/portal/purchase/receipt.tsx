/** The receipt of a delivered purchase: its link, which opens the page to print, and messages. */
import { useMutation } from '@tanstack/react-query';
import type { Output } from '../../../api/operations.ts';
import { runOperation } from '../../../api/run.ts';
import { useMay } from '../../../api/session.ts';
import { Button } from '../../../widgets/button.tsx';
import { Copyable } from '../../../widgets/copy.tsx';
import { Trouble } from '../../../widgets/notes.tsx';
import { OperationButton } from '../../../widgets/operation-button.tsx';
import { Facts, Panel, Stack } from '../../../widgets/page.tsx';
import { Time } from '../../../widgets/values.tsx';

/** Renders nothing for users who may not give receipts. */
export function Receipt({ purchase }: { readonly purchase: Output<'merchant_purchase.show'> }) {
  const may = useMay();
  const given = { reference: purchase.id };
  const link = useMutation({ mutationFn: () => runOperation('receipt.link', given) });
  if (!may('receipt.link')) return null;
  return (
    <Panel
      title="Receipt"
      note="For your customer. It shows what was bought and paid, and the token."
      isForActions
      actions={
        <>
          <Button onClick={() => link.mutate()} busy={link.isPending ? 'Creating…' : undefined}>
            Create link
          </Button>
          <OperationButton
            name="receipt.send"
            verb="Send"
            title="Send the receipt"
            lead="The message has the token and a link to the receipt. Only your customer should get it."
            given={given}
            fields={['channel', 'to']}
            labels={{ channel: 'By', to: 'E-mail address or mobile number' }}
            done="Receipt queued."
          />
          <OperationButton
            name="receipt.revoke"
            verb="Revoke links"
            look="danger"
            lead="All links to this receipt stop working, also those in messages. You can create new ones."
            given={given}
            fields={[]}
            done="Links revoked."
            onDone={() => link.reset()}
          />
        </>
      }
    >
      <Stack>
        {link.error === null ? null : <Trouble error={link.error} />}
        {link.data === undefined ? (
          <p>Create a link to print the receipt or to give it to your customer.</p>
        ) : (
          <>
            <Facts
              facts={[
                ['Link', <Copyable key="l" value={link.data.url} name="link" />],
                ['Expires', <Time key="e" at={link.data.expires_at} near />],
              ]}
            />
            <p>
              <a href={link.data.url} target="_blank" rel="noreferrer">
                Open and print the receipt
              </a>
            </p>
          </>
        )}
      </Stack>
    </Panel>
  );
}
