/** `oja user`, `oja session` and `oja team`: who may sign in at the console and the portal. */
import type { Static } from 'typebox';
import { inviteToTeamOperation, inviteUserOperation } from '../../backoffice/users/operations/invite-user.ts';
import {
  listTeamOperation,
  listUsersOperation,
  showUserOperation,
} from '../../backoffice/users/operations/list-users.ts';
import { resetMemberOperation, resetUserOperation } from '../../backoffice/users/operations/reset-user.ts';
import {
  endSessionsOperation,
  endTeamSessionsOperation,
  listSessionsOperation,
  listTeamSessionsOperation,
} from '../../backoffice/users/operations/sessions.ts';
import {
  setTeamRolesOperation,
  setUserRolesOperation,
} from '../../backoffice/users/operations/set-user-roles.ts';
import {
  resumeMemberOperation,
  resumeUserOperation,
  suspendMemberOperation,
  suspendUserOperation,
} from '../../backoffice/users/operations/suspend-user.ts';
import type { linkedOutput } from '../../backoffice/users/user-answer.ts';
import { timeText } from '../format.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';

const rolesFlag = { roles: '--roles <role...>' };
const memberArguments = ['merchant', 'email'] as const;

export const userCommands: readonly OperationCommand[] = [
  commandOf(inviteUserOperation, {
    arguments: ['email'],
    flags: rolesFlag,
    examples: [
      'user invite ada@shop.example --roles admin --link',
      'user invite ben@shop.example --roles support finance --name "Ben Obi"',
    ],
    text: linkText,
  }),
  commandOf(listUsersOperation, { examples: ['user list'] }),
  commandOf(showUserOperation, {
    arguments: ['email'],
    examples: ['user show ada@shop.example'],
  }),
  commandOf(setUserRolesOperation, {
    arguments: ['email'],
    flags: rolesFlag,
    examples: ['user set-roles ada@shop.example --roles support'],
  }),
  commandOf(suspendUserOperation, {
    arguments: ['email'],
    examples: ['user suspend ada@shop.example'],
  }),
  commandOf(resumeUserOperation, {
    arguments: ['email'],
    examples: ['user resume ada@shop.example'],
  }),
  commandOf(resetUserOperation, {
    arguments: ['email'],
    examples: [
      'user reset ada@shop.example --link',
      'user reset ada@shop.example --second-factors --link --yes',
    ],
    text: linkText,
  }),
  commandOf(listSessionsOperation, {
    examples: ['session list', 'session list --email ada@shop.example'],
  }),
  commandOf(endSessionsOperation, {
    arguments: ['email'],
    examples: ['session end ada@shop.example'],
  }),
  commandOf(inviteToTeamOperation, {
    arguments: memberArguments,
    flags: rolesFlag,
    examples: ['team invite SHOP ada@shop.example --roles owner --link'],
    text: linkText,
  }),
  commandOf(listTeamOperation, {
    arguments: ['merchant'],
    examples: ['team list SHOP'],
  }),
  commandOf(setTeamRolesOperation, {
    arguments: memberArguments,
    flags: rolesFlag,
    examples: ['team set-roles SHOP ada@shop.example --roles finance developer'],
  }),
  commandOf(suspendMemberOperation, {
    arguments: memberArguments,
    examples: ['team suspend SHOP ada@shop.example'],
  }),
  commandOf(resumeMemberOperation, {
    arguments: memberArguments,
    examples: ['team resume SHOP ada@shop.example'],
  }),
  commandOf(resetMemberOperation, {
    arguments: memberArguments,
    examples: ['team reset SHOP ada@shop.example --link'],
    text: linkText,
  }),
  commandOf(listTeamSessionsOperation, {
    arguments: ['merchant'],
    examples: ['team list-sessions SHOP'],
  }),
  commandOf(endTeamSessionsOperation, {
    arguments: memberArguments,
    examples: ['team end-sessions SHOP ada@shop.example'],
  }),
];

function linkText({ email, link, sent_to: sentTo, expires_at: end }: Static<typeof linkedOutput>): string {
  return link === null
    ? `An e-mail with a link goes to ${sentTo}.`
    : `${link}\n\nIt is ${email}'s, works once, until ${timeText(end ?? '')}, and is not shown again.`;
}
