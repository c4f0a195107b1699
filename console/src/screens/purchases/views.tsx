/** Views of the list of purchases: built-in and saved. */
import { useState } from 'react';
import { useSession } from '../../api/session.ts';
import { lagosDay } from '../../design/format.ts';
import { Button, LinkButton } from '../../widgets/button.tsx';
import { Dialog } from '../../widgets/dialog.tsx';
import { Form, FormActions, TextField } from '../../widgets/field.tsx';
import { useFilters } from '../../widgets/filters.ts';
import { dropView, NAME_LENGTH_MAX, readViews, saveView } from './saved-views.ts';

export function Views() {
  const user = useSession()?.user.id ?? '';
  const [values] = useFilters();
  const [saved, setSaved] = useState(() => readViews(user));
  const [isSaving, setIsSaving] = useState(false);
  const today = lagosDay();
  const { follow: _, environment: __, ...filters } = values;
  const search = new URLSearchParams(filters).toString();
  const shown = saved.find((view) => view.search === search);
  const usual = [
    { name: 'Pending', search: 'status=pending' },
    { name: 'Today', search: `from=${today}` },
    { name: 'Failed today', search: `status=failed&from=${today}` },
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
          Delete “{shown.name}”
        </Button>
      )}
      {search === '' || shown !== undefined ? null : (
        <Button look="quiet" aria-haspopup="dialog" onClick={() => setIsSaving(true)}>
          Save view
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
    <Dialog open onClose={onClose} title="Save view" lead="Saves the filters in this browser, only for you.">
      <Form onSubmit={() => (isMissing ? undefined : onName(name.trim()))} label="Save view">
        <TextField
          label="Name"
          autoComplete="off"
          maxLength={NAME_LENGTH_MAX}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <FormActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="main" disabled={isMissing}>
            Save
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}
