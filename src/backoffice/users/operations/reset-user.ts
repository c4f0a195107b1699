/** Gives a user a link to reset the password, for an hour, and can remove second factors. */
import { Type } from 'typebox';
import { admins, defineOperation } from '../../../core/operation.ts';
import { inputOf, merchantField } from '../../../core/operation-fields.ts';
import { resetUser, type UserActing } from '../change-user.ts';
import { operatorScope, tenantScopeOf } from '../tenant-scope.ts';
import { emailField, linkedOutput, linkField } from '../user-answer.ts';

const secondFactorsField = Type.Optional(
  Type.Boolean({
    description: 'true to remove the second factors too; verify the identity of the user first',
    default: false,
  }),
);

export const resetUserOperation = defineOperation({
  name: 'user.reset',
  kind: 'act',
  summary: 'give a user of the console a link to reset the password; the sessions of the user end',
  roles: admins,
  route: 'POST /users/{email}/reset',
  document: 'operators/console.md',
  showsSecret: true,
  confirm: ({ second_factors: all }) =>
    all === true
      ? 'The link works without a second factor. Did you verify the identity of the user?'
      : undefined,
  input: inputOf({ email: emailField, second_factors: secondFactorsField, link: linkField }),
  output: linkedOutput,
  run: async (acting: UserActing, { email, second_factors: secondFactors = false, link = false }) =>
    await resetUser(acting, operatorScope, { email, secondFactors }, link),
});

export const resetMemberOperation = defineOperation({
  name: 'team.reset',
  kind: 'act',
  summary: 'give a user of a merchant a link to reset the password; the sessions of the user end',
  roles: admins,
  portal: { roles: ['owner'] },
  route: 'POST /merchants/{merchant}/team/{email}/reset',
  document: 'operators/console.md',
  showsSecret: true,
  confirm: ({ second_factors: all }) =>
    all === true
      ? 'The link works without a second factor. Did you verify the identity of the user?'
      : undefined,
  input: inputOf({
    merchant: merchantField,
    email: emailField,
    second_factors: secondFactorsField,
    link: linkField,
  }),
  output: linkedOutput,
  run: async (acting: UserActing, { merchant, email, second_factors: secondFactors = false, link = false }) =>
    await resetUser(acting, await tenantScopeOf(acting.tx, merchant), { email, secondFactors }, link),
});
