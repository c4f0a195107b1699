/**
 * Gives somebody a link to choose a new password by, for an hour. Where the phone is lost too, the
 * second factors go, and are set up anew.
 */
import { Type } from 'typebox';
import { admins, defineOperation } from '../../../core/operation.ts';
import { inputOf, merchantField } from '../../../core/operation-fields.ts';
import { type PeopleActing, resetUser } from '../change-user.ts';
import { operatorScope, tenantScopeOf } from '../crew.ts';
import { emailField, linkedOutput, linkField } from '../user-answer.ts';

const secondFactorsField = Type.Optional(
  Type.Boolean({
    description: 'true to take the second factors away too: make sure who asks for it',
    default: false,
  }),
);

export const resetUserOperation = defineOperation({
  name: 'user.reset',
  kind: 'act',
  summary: "give one of the operator's people a link for a new password; the person's sessions end",
  roles: admins,
  route: 'POST /users/{email}/reset',
  document: 'operators/console.md',
  showsSecret: true,
  confirm: ({ second_factors: all }) =>
    all === true ? 'Whoever gets the link needs no second factor. Is it really the person?' : undefined,
  input: inputOf({ email: emailField, second_factors: secondFactorsField, link: linkField }),
  output: linkedOutput,
  run: async (acting: PeopleActing, { email, second_factors: secondFactors = false, link = false }) =>
    await resetUser(acting, operatorScope, { email, secondFactors }, link),
});

export const resetMemberOperation = defineOperation({
  name: 'team.reset',
  kind: 'act',
  summary: "give one of a merchant's people a link for a new password; the person's sessions end",
  roles: admins,
  portal: { roles: ['owner'] },
  route: 'POST /merchants/{merchant}/team/{email}/reset',
  document: 'operators/console.md',
  showsSecret: true,
  confirm: ({ second_factors: all }) =>
    all === true ? 'Whoever gets the link needs no second factor. Is it really the person?' : undefined,
  input: inputOf({
    merchant: merchantField,
    email: emailField,
    second_factors: secondFactorsField,
    link: linkField,
  }),
  output: linkedOutput,
  run: async (
    acting: PeopleActing,
    { merchant, email, second_factors: secondFactors = false, link = false },
  ) => await resetUser(acting, await tenantScopeOf(acting.tx, merchant), { email, secondFactors }, link),
});
