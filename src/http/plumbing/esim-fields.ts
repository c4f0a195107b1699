/** How requests name an eSIM, and their order of one. */
import { requestId, text } from './fields.ts';

export const esimPlanId = text('the plan_id of an eSIM in the catalog, a string such as "NG-1GB-7D"', {
  format: 'clean-text',
  maxLength: 60,
  examples: ['NG-1GB-7D'],
});

export const esimRequestId = requestId(40, 'esim-20261121-0001');
