/** `oja user`, `oja session` and `oja team`: who may sign in at the console and the portal. */
import type { Static } from 'typebox';
import { inviteToTeamOperation, inviteUserOperation } from '../../users/operations/invite-user.ts';
import {
  listTeamOperation,
  listUsersOperation,
  showUserOperation,
} from '../../users/operations/list-users.ts';
import { resetMemberOperation, resetUserOperation } from '../../users/operations/reset-user.ts';
import {
  endSessionsOperation,
  endTeamSessionsOperation,
  listSessionsOperation,
  listTeamSessionsOperation,
} from '../../users/operations/sessions.ts';
import { setTeamRolesOperation, setUserRolesOperation } from '../../users/operations/set-user-roles.ts';
import {
  resumeMemberOperation,
  resumeUserOperation,
  suspendMemberOperation,
  suspendUserOperation,
} from '../../users/operations/suspend-user.ts';
import type { linkedOutput, sessionOutput, userOutput } from '../../users/user-answer.ts';
import { timeText } from '../format.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';
import { pairs, table } from '../output.ts';

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
  commandOf(listUsersOperation, { examples: ['user list'], text: ({ data }) => usersTable(data) }),
  commandOf(showUserOperation, {
    arguments: ['email'],
    examples: ['user show ada@shop.example'],
    text: (user) =>
      pairs([
        ['address', user.email],
        ['name', user.name],
        ['roles', user.roles.join(' ')],
        ['state', user.state],
        ['codes of an app', user.second_factors.totp ? 'yes' : 'no'],
        ['passkeys', String(user.second_factors.passkeys)],
        ['recovery codes', `${user.second_factors.recovery_codes_left} left`],
        ['last signed in', user.signed_in_at === null ? 'never' : timeText(user.signed_in_at)],
        ['invited by', user.created_by],
        ['since', timeText(user.created_at)],
      ]),
  }),
  commandOf(setUserRolesOperation, {
    arguments: ['email'],
    flags: rolesFlag,
    examples: ['user set-roles ada@shop.example --roles support'],
    text: rolesText,
  }),
  commandOf(suspendUserOperation, {
    arguments: ['email'],
    examples: ['user suspend ada@shop.example'],
    text: stateText,
  }),
  commandOf(resumeUserOperation, {
    arguments: ['email'],
    examples: ['user resume ada@shop.example'],
    text: stateText,
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
    text: ({ data }) => sessionsTable(data),
  }),
  commandOf(endSessionsOperation, {
    arguments: ['email'],
    examples: ['session end ada@shop.example'],
    text: endedText,
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
    text: ({ data }) => usersTable(data),
  }),
  commandOf(setTeamRolesOperation, {
    arguments: memberArguments,
    flags: rolesFlag,
    examples: ['team set-roles SHOP ada@shop.example --roles finance developer'],
    text: rolesText,
  }),
  commandOf(suspendMemberOperation, {
    arguments: memberArguments,
    examples: ['team suspend SHOP ada@shop.example'],
    text: stateText,
  }),
  commandOf(resumeMemberOperation, {
    arguments: memberArguments,
    examples: ['team resume SHOP ada@shop.example'],
    text: stateText,
  }),
  commandOf(resetMemberOperation, {
    arguments: memberArguments,
    examples: ['team reset SHOP ada@shop.example --link'],
    text: linkText,
  }),
  commandOf(listTeamSessionsOperation, {
    arguments: ['merchant'],
    examples: ['team list-sessions SHOP'],
    text: ({ data }) => sessionsTable(data),
  }),
  commandOf(endTeamSessionsOperation, {
    arguments: memberArguments,
    examples: ['team end-sessions SHOP ada@shop.example'],
    text: endedText,
  }),
];

function linkText({ email, link, sent_to: sentTo, expires_at: end }: Static<typeof linkedOutput>): string {
  return link === null
    ? `An e-mail with a link goes to ${sentTo}.`
    : `${link}\n\nIt is ${email}'s, works once, until ${timeText(end ?? '')}, and is not shown again.`;
}

type Changed = Static<typeof userOutput> & { readonly changed: boolean };

function rolesText({ email, roles, changed }: Changed): string {
  return `${email} is ${changed ? 'now' : 'already'} ${roles.join(', ')}.`;
}

function stateText({ email, state, changed }: Changed): string {
  return `${email} is ${changed ? 'now' : 'already'} ${state}.`;
}

function endedText({ email, ended }: { readonly email: string; readonly ended: number }): string {
  return `${ended} session${ended === 1 ? '' : 's'} of ${email} ended.`;
}

function usersTable(users: readonly Static<typeof userOutput>[]): string {
  return table(
    users,
    [
      { title: 'ADDRESS', of: (user) => user.email },
      { title: 'NAME', of: (user) => user.name },
      { title: 'ROLES', of: (user) => user.roles.join(' ') },
      { title: 'STATE', of: (user) => user.state },
      {
        title: 'LAST SIGNED IN',
        of: (user) => (user.signed_in_at === null ? '-' : timeText(user.signed_in_at)),
      },
    ],
    'Nobody.',
  );
}

function sessionsTable(sessions: readonly Static<typeof sessionOutput>[]): string {
  return table(
    sessions,
    [
      { title: 'SESSION', of: (session) => session.id },
      { title: 'WHO', of: (session) => session.email },
      { title: 'SINCE', of: (session) => timeText(session.opened_at) },
      { title: 'SEEN', of: (session) => timeText(session.seen_at) },
      { title: 'BY', of: (session) => session.opened_by },
      { title: 'ADDRESS', of: (session) => session.address },
      { title: 'BROWSER', of: (session) => session.browser.slice(0, 40) },
    ],
    'No open sessions.',
  );
}
