/** Commands of the operator: alarms, approvals, tasks, keys, users and personal data. */
import type { Static } from 'typebox';
import type { linkedOutput } from '../../backoffice/users/user-answer.ts';
import type { exportPersonOperation } from '../../operate/retention/operations/export-person.ts';
import { timeText } from '../format.ts';
import type { CommandTable } from '../operation-command.ts';
import type { Form } from '../print-pages.ts';

const rolesFlag = { roles: '--roles <role...>' };

type Page = Static<typeof exportPersonOperation.output>;

const heldLines: Form<Page> = {
  head: () => '',
  lines: heldText,
  end: () => 'End of the list.\n',
};

export const operatorCommands = {
  'alarm.list': {
    examples: ['alarm list', 'alarm list --all'],
    columns: ['id', 'at', 'kind', 'merchant', 'purchase_id', 'message', 'acknowledged_at', 'ended_at'],
    actionsBy: 'id',
  },
  'alarm.acknowledge': ['alarm acknowledge 12', 'alarm acknowledge 12 --note "support confirmed delivery"'],
  'approval.list': {
    examples: ['approval list', 'approval list --state all'],
    columns: [
      'id',
      'state',
      'title',
      'asked_by',
      'asked_at',
      'about.amount',
      'about.currency',
      'about.merchant.code',
      'may_decide',
    ],
  },
  'approval.count': ['approval count'],
  'approval.show': ['approval show 0198c5a4-7d8e-7b3a-9c7e-1f2d3c4b5a69'],
  'approval.approve': ['approval approve 0198c5a4-7d8e-7b3a-9c7e-1f2d3c4b5a69 --yes'],
  'approval.reject': [
    'approval reject 0198c5a4-7d8e-7b3a-9c7e-1f2d3c4b5a69 --reason "the support was wrong"',
  ],
  'task.list': ['task list', 'task list --state running'],
  'task.show': ['task show 0198c5a4-7d8e-7b3a-9c7e-1f2d3c4b5a69'],
  'audit_log.list': {
    flags: { actor: '--by <name>' },
    examples: [
      'audit-log list',
      'audit-log list --action purchase.reveal_goods',
      'audit-log list --by ada --action wallet --json',
      'audit-log list --principal user:root --from 2026-11-01 --to 2026-11-30',
    ],
  },
  'audit_log.verify': {
    examples: [
      'audit-log verify',
      'audit-log verify --entry 48230 --hash 2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881',
    ],
    isWrong: ({ ok }) => !ok,
  },
  'audit_log.export': {
    examples: ['audit-log export --from 2026-11-01 --to 2026-11-30'],
    whole: { hides: [] },
  },
  'key.list': ['key list'],
  'key.rotate': ['key rotate --yes'],
  'backup.record': {
    arguments: ['label'],
    examples: ['backup record 20261122-013000F --target repo1'],
  },
  'restore.status': ['restore status'],
  'restore.lock': [
    'restore lock --reason "pgBackRest restore to 10:30" --from 2026-11-22T10:30:00+01:00 --yes',
  ],
  'restore.open': [
    'restore open',
    'restore open --despite-differences --reason "INV-1042 is settled with the merchant" --yes',
  ],
  'token.create': {
    flags: { role: '--role <role...>' },
    examples: [
      'token create --role support --name ada',
      'token create --role finance admin --name ben --expires 30d',
    ],
    text: ({ token, name, roles, expires_at: end }) =>
      `${token}\n\nToken of ${name} (${roles.join(', ')}), valid until ${timeText(end)}. It is not shown again.`,
  },
  'token.list': ['token list'],
  'token.revoke': ['token revoke k3jf9a2c --yes'],
  'user.invite': {
    arguments: ['email'],
    flags: rolesFlag,
    examples: [
      'user invite ada@shop.example --roles admin --link',
      'user invite ben@shop.example --roles support finance --name "Ben Obi"',
    ],
    text: linkText,
  },
  'user.list': ['user list'],
  'user.show': ['user show ada@shop.example'],
  'user.set_roles': {
    flags: rolesFlag,
    examples: ['user set-roles ada@shop.example --roles support'],
  },
  'user.suspend': ['user suspend ada@shop.example'],
  'user.resume': ['user resume ada@shop.example'],
  'user.reset': {
    examples: [
      'user reset ada@shop.example --link',
      'user reset ada@shop.example --second-factors --link --yes',
    ],
    text: linkText,
  },
  'session.list': ['session list', 'session list --email ada@shop.example'],
  'session.end': ['session end ada@shop.example'],
  'team.invite': {
    arguments: ['merchant', 'email'],
    flags: rolesFlag,
    examples: ['team invite SHOP ada@shop.example --roles owner --link'],
    text: linkText,
  },
  'team.list': ['team list SHOP'],
  'team.set_roles': {
    flags: rolesFlag,
    examples: ['team set-roles SHOP ada@shop.example --roles finance developer'],
  },
  'team.suspend': ['team suspend SHOP ada@shop.example'],
  'team.resume': ['team resume SHOP ada@shop.example'],
  'team.reset': {
    examples: ['team reset SHOP ada@shop.example --link'],
    text: linkText,
  },
  'team.list_sessions': ['team list-sessions SHOP'],
  'team.end_sessions': ['team end-sessions SHOP ada@shop.example'],
  'person.export': {
    arguments: ['person'],
    examples: ['person export 08031234567', 'person export ada@example.com'],
    whole: { text: heldLines },
  },
  'person.erase': {
    arguments: ['person'],
    examples: ['person erase 08031234567 --yes'],
  },
} satisfies CommandTable;

function linkText({ email, link, sent_to: sentTo, expires_at: end }: Static<typeof linkedOutput>): string {
  return link === null
    ? `An e-mail with the link will be sent to ${sentTo}.`
    : `${link}\n\nFor ${email}. It works once, until ${timeText(end ?? '')}, and is not shown again.`;
}

/** Prints a line for each row, with its values below. */
function heldText({ data }: Page): string {
  return data
    .map(({ kind, merchant, environment, reference, at, says }) => {
      const place = [at, kind, merchant, environment, reference ?? ''].join('  ').trimEnd();
      return [place, ...Object.entries(says).map(([name, value]) => `  ${name}: ${value}`), ''].join('\n');
    })
    .join('');
}
