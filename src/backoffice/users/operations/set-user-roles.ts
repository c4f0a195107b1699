/** Changes the roles of a user. All sessions of the user end. */
import { Type } from 'typebox';
import { admins, defineOperation } from '../../../core/operation.ts';
import { inputOf, merchantField } from '../../../core/operation-fields.ts';
import type { Acting } from '../../../oversight/log/acting.ts';
import { setUserRoles } from '../change-user.ts';
import { operatorScope, tenantScopeOf } from '../tenant-scope.ts';
import { emailField, userOutput } from '../user-answer.ts';
import { merchantRolesField, operatorRolesField } from './invite-user.ts';

const output = Type.Object({ ...userOutput.properties, changed: Type.Boolean() });

export const setUserRolesOperation = defineOperation({
  name: 'user.set_roles',
  kind: 'act',
  summary: 'change the roles of a console user; the sessions of the user end',
  roles: admins,
  route: 'PUT /users/{email}/roles',
  document: 'operators/console.md',
  input: inputOf({ email: emailField, roles: operatorRolesField }),
  output,
  run: async (acting: Acting, given) => await setUserRoles(acting, operatorScope, given),
});

export const setTeamRolesOperation = defineOperation({
  name: 'team.set_roles',
  kind: 'act',
  summary: "change the roles of a merchant's user; the sessions of the user end",
  roles: admins,
  portal: { roles: ['owner'] },
  route: 'PUT /merchants/{merchant}/team/{email}/roles',
  document: 'operators/console.md',
  input: inputOf({ merchant: merchantField, email: emailField, roles: merchantRolesField }),
  output,
  run: async (acting: Acting, { merchant, ...given }) =>
    await setUserRoles(acting, await tenantScopeOf(acting.tx, merchant), given),
});
