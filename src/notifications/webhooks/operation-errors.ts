/** Turns errors of endpoints, which the API words for merchants, into errors of operations. */
import { GatewayError, OperationError } from '../../core/errors.ts';
import type { OperationErrorDetails } from '../../core/operation-errors.ts';
import type { EndpointUrlFault, RequestFault } from '../../core/request-fault.ts';

const wantedUrls: Readonly<Record<EndpointUrlFault, string>> = {
  malformed: 'a URL such as "https://shop.example/webhooks", without a user and a password',
  not_https: 'a URL that begins with https://',
  port: 'a URL on port 443 or 8443',
  private: 'on the public internet: this address is in a private or reserved network',
};

type Named = { readonly endpoint?: string; readonly delivery?: string };

/** Runs `act` and rethrows its GatewayError as an OperationError. */
export async function withOperationErrors<Result>(named: Named, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    const fault = error instanceof GatewayError ? operationFault(error.faults[0], named) : undefined;
    throw fault === undefined ? error : new OperationError(fault);
  }
}

function operationFault(
  fault: RequestFault | undefined,
  { endpoint = '', delivery = '' }: Named,
): OperationErrorDetails | undefined {
  switch (fault?.code) {
    case 'endpoint_url_refused': {
      const errors = [{ field: 'url', kind: 'wrong' as const, wanted: wantedUrls[fault.why] }];
      return { code: 'input_malformed', errors };
    }
    case 'endpoints_full':
      return { code: 'webhook_endpoints_full', max: fault.max };
    case 'no_endpoint':
      return { code: 'no_webhook_endpoint', endpoint };
    case 'no_webhook_delivery':
      return { code: 'no_webhook_delivery', delivery };
    case 'endpoint_disabled':
      return { code: 'webhook_endpoint_disabled', endpoint };
    default:
      return undefined;
  }
}
