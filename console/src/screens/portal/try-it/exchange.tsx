/** A request to the API and its response, as a program sees them. */
import type { ReactNode } from 'react';
import type { Output } from '../../../api/operations.ts';
import { HttpMessage } from '../../../widgets/http-message.tsx';
import { Hint } from '../../../widgets/notes.tsx';
import { Columns, Panel } from '../../../widgets/page.tsx';

type Tried = Output<'deposit.try'>;

const TAKEN_MAX = 299;

export function isTaken({ answer }: Tried): boolean {
  return answer.status <= TAKEN_MAX;
}

/** Whether the request failed because the test wallet is too low. */
export function isEmpty({ answer }: Tried): boolean {
  return answer.body.includes('Insufficient wallet balance');
}

/** `taken` is the text for a request that succeeded. */
export function Exchange({
  tried,
  taken,
  actions,
}: {
  readonly tried: Tried;
  readonly taken: string;
  readonly actions?: ReactNode;
}) {
  const { request, answer } = tried;
  return (
    <>
      <div role="status">
        <Hint tone={isTaken(tried) ? 'good' : 'bad'}>
          The API returned {answer.status} after {answer.took_ms} ms.{' '}
          {isTaken(tried) ? taken : 'See the response body.'}
        </Hint>
      </div>
      <Columns>
        <Panel title="Request" note="The secret is sent as X-Merchant-Secret and not shown.">
          <HttpMessage
            head={`${request.method} ${request.path}`}
            headers={request.headers}
            body={request.body}
            name="request"
          />
        </Panel>
        <Panel title="Response" actions={isTaken(tried) ? actions : undefined}>
          <HttpMessage
            head={`HTTP ${answer.status}`}
            headers={answer.headers}
            body={answer.body}
            name="response"
          />
        </Panel>
      </Columns>
    </>
  );
}
