/** Sets the low-balance alert of a wallet: the threshold, and which users get an e-mail. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isRefusal } from '../../../api/call.ts';
import type { Output, Row } from '../../../api/operations.ts';
import { usePages } from '../../../api/queries.ts';
import { runOperation } from '../../../api/run.ts';
import { useMay } from '../../../api/session.ts';
import { readTyped } from '../../../api/typed-number.ts';
import { Button } from '../../../widgets/button.tsx';
import { Dialog } from '../../../widgets/dialog.tsx';
import fieldStyles from '../../../widgets/field.module.css';
import { CheckField, Form, FormActions, TextField } from '../../../widgets/field.tsx';
import { Hint, Trouble } from '../../../widgets/notes.tsx';
import { useToast } from '../../../widgets/toasts.tsx';

type Wallet = Row<'wallet.show'>;
type Alert = Output<'wallet.alerts'>[number];

export function AlertButton(props: { readonly wallet: Wallet; readonly alert: Alert }) {
  const [isOpen, setIsOpen] = useState(false);
  const { environment, currency } = props.wallet;
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        Set alert
      </Button>
      {isOpen ? (
        <Dialog
          open
          onClose={() => setIsOpen(false)}
          title="Low-balance alert"
          lead={`One notification each time the ${environment} ${currency} balance falls below the amount.`}
        >
          <AlertForm {...props} onClose={() => setIsOpen(false)} />
        </Dialog>
      ) : null}
    </>
  );
}

function AlertForm({
  wallet: { environment, currency },
  alert,
  onClose,
}: {
  readonly wallet: Wallet;
  readonly alert: Alert;
  readonly onClose: () => void;
}) {
  const queries = useQueryClient();
  const say = useToast();
  const [threshold, setThreshold] = useState(alert.threshold ?? '');
  const [emails, setEmails] = useState<readonly string[]>(alert.emails);
  const typed = threshold.trim() === '' ? { text: '' } : readTyped('amount', threshold, currency);
  const fault = 'fault' in typed ? `Must be ${typed.fault}.` : undefined;
  const [isTried, setIsTried] = useState(false);
  const sent = useMutation({
    mutationFn: (text: string) =>
      runOperation('wallet.set_alert', { environment, currency, threshold: text, emails: [...emails] }),
    onSuccess: ({ threshold: set }) => {
      void queries.invalidateQueries({ queryKey: ['wallet.alerts'] });
      say(set === null ? 'Alert removed.' : 'Alert set.');
      onClose();
    },
  });
  const refused = isRefusal(sent.error) ? sent.error.fields.get('threshold') : undefined;
  const submit = () => {
    setIsTried(true);
    if ('text' in typed) sent.mutate(typed.text);
  };
  const toggle = (email: string) =>
    setEmails((all) => (all.includes(email) ? all.filter((one) => one !== email) : [...all, email]));
  return (
    <Form onSubmit={submit} label="Low-balance alert">
      <TextField
        label="Alert below"
        hint="Leave empty for no alert."
        isOptional
        inputMode="decimal"
        placeholder="0.00"
        autoComplete="off"
        value={threshold}
        error={(isTried ? fault : undefined) ?? refused}
        onChange={(event) => setThreshold(event.target.value)}
      />
      <Team chosen={emails} onToggle={toggle} />
      {sent.error === null || refused !== undefined ? null : <Trouble error={sent.error} />}
      <FormActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="main" busy={sent.isPending ? 'Saving…' : undefined}>
          Save
        </Button>
      </FormActions>
    </Form>
  );
}

/** Chosen users who have left the team can be removed. */
function Team({
  chosen,
  onToggle,
}: {
  readonly chosen: readonly string[];
  readonly onToggle: (email: string) => void;
}) {
  const may = useMay();
  const team = usePages('team.list', { limit: 200 });
  const known = team.rows.filter(({ state }) => state !== 'suspended');
  const others = chosen.filter((email) => !known.some((member) => member.email === email));
  if (!may('team.list')) return null;
  return (
    <fieldset className={fieldStyles.choices}>
      <legend className={fieldStyles.label}>E-mail to</legend>
      {known.map(({ email, name }) => (
        <CheckField
          key={email}
          label={name === '' ? email : `${name} (${email})`}
          checked={chosen.includes(email)}
          onChange={() => onToggle(email)}
        />
      ))}
      {team.isLoading
        ? null
        : others.map((email) => (
            <CheckField key={email} label={email} checked onChange={() => onToggle(email)} />
          ))}
      {team.error === null ? null : <Hint tone="bad">The team could not be loaded. Try again.</Hint>}
    </fieldset>
  );
}
