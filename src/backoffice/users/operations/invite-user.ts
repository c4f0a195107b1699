/** Invites users of the console or of a merchant. The link works once, for 72 hours. */
import { Type } from 'typebox';
import { admins, defineOperation, merchantRoles, roles as operatorRoles } from '../../../core/operation.ts';
import { inputOf, merchantField, oneOf } from '../../../core/operation-fields.ts';
import { inviteUser, type UserActing } from '../change-user.ts';
import { operatorScope, tenantScopeOf } from '../tenant-scope.ts';
import { emailField, linkedOutput, linkField, nameField } from '../user-answer.ts';

export const operatorRolesField = Type.Array(oneOf(operatorRoles), {
  description: 'one or more of viewer, support, finance and admin',
  minItems: 1,
  uniqueItems: true,
});

export const merchantRolesField = Type.Array(oneOf(merchantRoles), {
  description: 'one or more of viewer, finance, developer and owner',
  minItems: 1,
  uniqueItems: true,
});

export const inviteUserOperation = defineOperation({
  name: 'user.invite',
  kind: 'act',
  summary: 'invite a user to the console, by e-mail or with a link that is shown once',
  roles: admins,
  route: 'POST /users',
  document: 'operators/console.md',
  showsSecret: true,
  input: inputOf({ email: emailField, roles: operatorRolesField, name: nameField, link: linkField }),
  output: linkedOutput,
  run: async (acting: UserActing, { link = false, ...invited }) =>
    await inviteUser(acting, operatorScope, invited, link),
});

export const inviteToTeamOperation = defineOperation({
  name: 'team.invite',
  kind: 'act',
  summary: 'invite a user of a merchant to the portal, by e-mail or with a link that is shown once',
  roles: admins,
  portal: { roles: ['owner'] },
  route: 'POST /merchants/{merchant}/team',
  document: 'operators/console.md',
  showsSecret: true,
  input: inputOf({
    merchant: merchantField,
    email: emailField,
    roles: merchantRolesField,
    name: nameField,
    link: linkField,
  }),
  output: linkedOutput,
  run: async (acting: UserActing, { merchant, link = false, ...invited }) =>
    await inviteUser(acting, await tenantScopeOf(acting.tx, merchant), invited, link),
});
