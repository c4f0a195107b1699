/** The request of a delivery, and the endpoint's answer. */
import { useState } from 'react';
import type { Row } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';
import { Button } from '../../widgets/button.tsx';
import { Dialog } from '../../widgets/dialog.tsx';
import { HttpMessage } from '../../widgets/http-message.tsx';
import { Hint, Loading, Trouble } from '../../widgets/notes.tsx';
import { Facts, Stack } from '../../widgets/page.tsx';
import { Nothing, State, Time } from '../../widgets/values.tsx';

type Delivery = Row<'webhook.deliveries'>;
type Named = { readonly endpoint: string; readonly delivery: Delivery };

export function DeliveryDetails(named: Named) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        Payload
      </Button>
      {isOpen ? (
        <Dialog open wide onClose={() => setIsOpen(false)} title={named.delivery.event_type}>
          <Details {...named} />
        </Dialog>
      ) : null}
    </>
  );
}

function Details({ endpoint, delivery: { id } }: Named) {
  const { data, error, refetch } = useAnswer('webhook.show_delivery', { endpoint, delivery: id });
  if (error !== null) return <Trouble error={error} again={() => void refetch()} />;
  if (data === undefined) return <Loading what="the payload" />;
  const { state, tries, tried_at: triedAt, http_status: status, note, duration_ms: ms, answer } = data;
  return (
    <Stack>
      <Facts
        facts={[
          ['State', <State key="s" state={state} />],
          ['Attempts', tries],
          ['Last attempt', <Time key="t" at={triedAt} near />],
          ['Response', status ?? note ?? <Nothing key="r" />],
          ['Duration', ms === null ? <Nothing key="d" /> : `${ms} ms`],
        ]}
      />
      <h3>Request</h3>
      {data.payload === null ? (
        <Hint>The payload is no longer stored.</Hint>
      ) : (
        <HttpMessage headers={data.headers} body={data.payload} name="payload" />
      )}
      <Hint>
        Each attempt adds webhook-timestamp and webhook-signature, and has the status of that time.
        {data.goods_left_out ? ' The endpoint also gets the goods, which are not shown here.' : ''}
      </Hint>
      {answer === null ? null : (
        <>
          <h3>Response</h3>
          <HttpMessage headers={{}} body={answer} name="response" />
        </>
      )}
    </Stack>
  );
}
