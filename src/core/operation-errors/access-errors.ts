/** Errors of any operation, and of users, approvals, tasks, personal data, the restore and keys. */
import { listWords } from '../list-words.ts';
import { conflict, forbidden, invalid, notFound } from './define-error.ts';

/** One property of an operation's input that is missing, wrong or not known. */
export type InputError =
  | { readonly field: string; readonly kind: 'missing' | 'wrong'; readonly wanted: string }
  /** `wanted`: the properties that exist. */
  | { readonly field: string; readonly kind: 'unknown'; readonly wanted: readonly string[] };

export const accessErrors = {
  // Any operation.

  input_malformed: invalid(({ errors }: { errors: readonly InputError[] }) =>
    errors.map(inputErrorText).join('; '),
  ),
  role_lacking: forbidden(({ roles }: { roles: readonly string[] }) =>
    roles.length === 0
      ? 'This operation is not available here.'
      : `You need the ${listWords(roles, 'or')} role for this operation.`,
  ),
  no_operation: notFound('Unknown operation "{operation}".'),
  no_such_cursor: invalid('Unknown cursor "{cursor}". Use the cursor that the previous page returned.'),
  days_backwards: invalid('The first day, {from}, is after the last day, {to}.'),
  key_used: conflict('The key {key} was used before with other input. Nothing was done. Use a new key.'),

  // Access.

  no_token: notFound('No token "{token}".'),
  token_life_too_long: invalid('A token can be valid for at most {daysMax} days.'),

  // Users.

  no_user: notFound('No user "{email}".'),
  user_exists: conflict('The user "{email}" exists already. Change the roles or reset the password instead.'),
  user_suspended: conflict('The user "{email}" is suspended. Resume the user first.'),
  email_malformed: invalid('"{email}" is not an e-mail address.'),
  last_chief: conflict('You cannot remove the last {role}. Give the role to another user first.'),
  no_session: notFound('No open session {session} of this user.'),
  no_mail_server: conflict(
    'No mail server is configured (OJA_SMTP_URL). Create a link instead, and send it yourself.',
  ),

  // Approvals.

  no_approval: notFound('No approval request {approval}.'),
  approval_over: conflict(({ state }: { state: 'approved' | 'rejected' | 'expired' }) =>
    state === 'expired' ? 'The request has expired. Create it again.' : `The request is ${state} already.`,
  ),
  /** A background task cannot wait for an approval. */
  second_person_needed: forbidden(
    ({ instead }: { instead: keyof typeof approvable }) =>
      `This gives away more than your limit. Nothing was done. ${approvable[instead]} instead, so that ` +
      'a second person can approve it.',
  ),
  approval_by_same_person: forbidden(
    'You cannot approve a request of {principal}. It needs an independent second person:',
    'someone whom neither of you invited, reset or gave a role or a token.',
  ),

  // Background tasks.

  no_task: notFound('No background task {task}.'),
  task_running: conflict('The same task is already running: {task}. Wait until it finishes.'),
  tasks_full: conflict('{max} background tasks are already running. Try again when one finishes.'),

  // Personal data.

  search_incomplete: conflict(
    'The search index does not have the purchases before {until} yet. Try again later.',
  ),
  /** `references` are some of the purchases; `more` counts the others. */
  person_needed: conflict(
    ({ references, more }: { references: readonly string[]; more: number }) =>
      `The data of this person is still needed by ${references.join(', ')}` +
      `${more > 0 ? ` and ${more} more` : ''}: purchases that are pending, ended less than three days ` +
      'ago, have goods to fetch or to send, or have an open alarm.',
  ),

  // Restore.

  no_restore_lock: conflict('The restore lock is not set.'),
  /** `providers`: those whose lists are missing. `open`: the findings without a decision. */
  restore_incomplete: conflict(({ providers, open }: { providers: readonly string[]; open: number }) =>
    [
      'The restore lock stays set.',
      ...(providers.length > 0
        ? [`Reconcile the lost time with the lists of ${listWords(providers, 'and')}.`]
        : []),
      ...(open > 0 ? [`Unknown orders: ${open}. Enter or dismiss each open finding.`] : []),
      'To remove the lock anyway, allow it (despite_differences) and give a reason.',
    ].join(' '),
  ),
  time_ahead: invalid('from must be in the past.'),

  // Keys and alarms.

  values_unopened: conflict(
    '{count} values cannot be decrypted with any configured key and were not changed.',
    'Add their key to OJA_ENCRYPTION_KEYS_OLD and run this again.',
  ),
  no_alarm: notFound('No alarm {alarm}.'),
};

/** The operations that can wait for an approval, as a step for the reader. */
const approvable = {
  import: 'Import the catalog from a file',
  provider_refund: 'Book the provider refund of the purchase by itself',
} as const;

export function inputErrorText({ field, kind, wanted }: InputError): string {
  if (kind === 'unknown') return `Unknown field ${field}: use ${listWords(wanted, 'or')}`;
  return kind === 'missing' ? `${field} is required: it must be ${wanted}` : `${field} must be ${wanted}`;
}
