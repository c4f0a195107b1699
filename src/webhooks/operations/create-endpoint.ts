/** Makes a webhook endpoint of a merchant. Its secret is answered once. */
import { Type } from 'typebox';
import type { Acting } from '../../audit-log/acting.ts';
import { admins, defineOperation } from '../../kernel/operation.ts';
import { environmentField, inputOf, merchantField } from '../../kernel/operation-fields.ts';
import type { Sealer } from '../../kernel/sealing.ts';
import { requireMerchant } from '../../merchants/require-merchant.ts';
import { createEndpoint } from '../change-endpoint.ts';
import { endpointAnswer, endpointOutput, readTerms, termsFields } from '../endpoint-answer.ts';
import type { UrlRules } from '../judge-url.ts';
import { asOperation } from '../refuse-operation.ts';

type Needs = Acting & { readonly sealer: () => Promise<Sealer>; readonly webhookRules: UrlRules };

export const createEndpointOperation = defineOperation({
  name: 'webhook.create',
  kind: 'act',
  summary: 'make a webhook endpoint of a merchant; its secret is shown once',
  roles: admins,
  portal: { roles: ['developer'] },
  route: 'POST /merchants/{merchant}/webhooks',
  document: 'operators/webhooks.md',
  showsSecret: true,
  input: inputOf({ merchant: merchantField, environment: environmentField, ...termsFields }),
  output: Type.Object({ ...endpointOutput.properties, secret: Type.String() }),
  run: async (
    { tx, actor, sealer, webhookRules: rules }: Needs,
    { merchant: code, environment, url, ...terms },
  ) => {
    const keys = await sealer();
    const { id: merchantId, code: merchantCode } = await requireMerchant(tx, code);
    const owner = { merchantId, merchantCode, environment };
    const wanted = { ...readTerms(terms), url };
    const { endpoint, secret } = await asOperation({}, () =>
      createEndpoint(tx, { sealer: keys, rules }, owner, wanted, actor),
    );
    return { ...endpointAnswer(endpoint), secret };
  },
});
