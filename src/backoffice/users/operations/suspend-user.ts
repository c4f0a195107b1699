/** Suspends a user and ends all sessions immediately, or resumes the user. */
import { Type } from 'typebox';
import { admins, defineOperation, supporters } from '../../../core/operation.ts';
import { inputOf, merchantField } from '../../../core/operation-fields.ts';
import type { Acting } from '../../../oversight/log/acting.ts';
import { setUserSuspended } from '../change-user.ts';
import { operatorScope, tenantScopeOf } from '../tenant-scope.ts';
import { emailField, userOutput } from '../user-answer.ts';

const output = Type.Object({ ...userOutput.properties, changed: Type.Boolean() });

function suspensionOfUser(suspended: boolean) {
  const verb = suspended ? ('suspend' as const) : ('resume' as const);
  return defineOperation({
    name: suspended ? 'user.suspend' : 'user.resume',
    kind: 'act',
    summary: suspended
      ? 'suspend a console user immediately; the sessions of the user end'
      : 'resume a suspended console user',
    roles: admins,
    route: `POST /users/{email}/${verb}`,
    document: 'operators/console.md',
    input: inputOf({ email: emailField }),
    output,
    run: async (acting: Acting, { email }) =>
      await setUserSuspended(acting, operatorScope, { email, suspended }),
  });
}

export const suspendUserOperation = suspensionOfUser(true);
export const resumeUserOperation = suspensionOfUser(false);

function suspensionOfMember(suspended: boolean) {
  const verb = suspended ? ('suspend' as const) : ('resume' as const);
  return defineOperation({
    name: suspended ? 'team.suspend' : 'team.resume',
    kind: 'act',
    summary: suspended
      ? "suspend a merchant's user immediately; the sessions of the user end"
      : 'resume a suspended user of a merchant',
    roles: supporters,
    portal: { roles: ['owner'] },
    route: `POST /merchants/{merchant}/team/{email}/${verb}`,
    document: 'operators/console.md',
    input: inputOf({ merchant: merchantField, email: emailField }),
    output,
    run: async (acting: Acting, { merchant, email }) =>
      await setUserSuspended(acting, await tenantScopeOf(acting.tx, merchant), { email, suspended }),
  });
}

export const suspendMemberOperation = suspensionOfMember(true);
export const resumeMemberOperation = suspensionOfMember(false);
