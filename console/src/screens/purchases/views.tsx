/** Views of the list of purchases: some that everybody has, and those that the person saved. */
import { useState } from 'react';
import { useSession } from '../../api/session.ts';
import { lagosDay } from '../../design/format.ts';
import { Button, LinkButton } from '../../widgets/button.tsx';
import { Dialog } from '../../widgets/dialog.tsx';
import { Form, FormActs, TextField } from '../../widgets/field.tsx';
import { useFilters } from '../../widgets/filters.ts';
import { dropView, NAME_LENGTH_MAX, readViews, saveView } from './saved-views.ts';

export function Views() {
  const user = useSession()?.user.id ?? '';
  const [values] = useFilters();
  const [saved, setSaved] = useState(() => readViews(user));
  const [isSaving, setIsSaving] = useState(false);
  const today = lagosDay();
  const { follow: _, ...filters } = values;
  const search = new URLSearchParams(filters).toString();
  const shown = saved.find((view) => view.search === search);
  const usual = [
    { name: 'Pending', search: 'status=pending' },
    { name: 'Failed today', search: `status=failed&from=${today}` },
    { name: 'Live today', search: `environment=live&from=${today}` },
  ];
  return (
    <>
      {[...usual, ...saved].map((view) => (
        <LinkButton key={view.name} to={`/purchases?${view.search}`} look="quiet">
          {view.name}
        </LinkButton>
      ))}
      {shown === undefined ? null : (
        <Button look="quiet" onClick={() => setSaved(dropView(user, shown.name))}>
          Forget “{shown.name}”
        </Button>
      )}
      {search === '' || shown !== undefined ? null : (
        <Button look="quiet" onClick={() => setIsSaving(true)}>
          Save this view
        </Button>
      )}
      {isSaving ? (
        <Naming
          onName={(name) => {
            setSaved(saveView(user, { name, search }));
            setIsSaving(false);
          }}
          onClose={() => setIsSaving(false)}
        />
      ) : null}
    </>
  );
}

function Naming({
  onName,
  onClose,
}: {
  readonly onName: (name: string) => void;
  readonly onClose: () => void;
}) {
  const [name, setName] = useState('');
  const isMissing = name.trim() === '';
  return (
    <Dialog open onClose={onClose} title="Save this view" lead="Its filters, in this browser, for you alone.">
      <Form onSubmit={() => (isMissing ? undefined : onName(name.trim()))} label="Save this view">
        <TextField
          label="Name"
          autoComplete="off"
          maxLength={NAME_LENGTH_MAX}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <FormActs>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="main" disabled={isMissing}>
            Save
          </Button>
        </FormActs>
      </Form>
    </Dialog>
  );
}
