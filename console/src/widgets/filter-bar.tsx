/** The form of a list's filters, which are stored in the address. */
import { type FormEvent, type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { type Choice, SelectField, TextField } from './field.tsx';
import styles from './filter-bar.module.css';
import { type FilterValues, useFilters } from './filters.ts';

export type Filter = {
  readonly name: string;
  readonly label: string;
  readonly choices?: readonly Choice[];
  readonly type?: 'text' | 'date';
  /** The default of a filter that has no "any". */
  readonly usual?: string;
  /** Shown only under "More filters", or while in use. */
  readonly isRare?: boolean;
};

/** The filter of lists that show one environment at a time. */
export const environmentFilter: Filter = {
  name: 'environment',
  label: 'Environment',
  usual: 'live',
  choices: [
    { value: 'live', name: 'Live' },
    { value: 'test', name: 'Test' },
  ],
};

/** The filters are applied by the button or by Enter. */
export function FilterBar({
  filters,
  children,
}: {
  readonly filters: readonly Filter[];
  readonly children?: ReactNode;
}) {
  const [values] = useFilters();
  // The key resets the form when the address changes, such as by "back".
  return (
    <FilterForm
      key={filters.map(({ name }) => values[name] ?? '').join('\n')}
      filters={filters}
      values={values}
    >
      {children}
    </FilterForm>
  );
}

function FilterForm({
  filters,
  values,
  children,
}: {
  readonly filters: readonly Filter[];
  readonly values: FilterValues;
  readonly children: ReactNode;
}) {
  const [, change] = useFilters();
  const usual = Object.fromEntries(filters.flatMap((one) => (one.usual ? [[one.name, one.usual]] : [])));
  const [typed, setTyped] = useState<FilterValues>({ ...usual, ...values });
  const set = (name: string, value: string) => setTyped((all) => ({ ...all, [name]: value }));
  const names = filters.map(({ name }) => name);
  const isFiltered = names.some((name) => values[name]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const given = (name: string) => (typed[name] ?? '').trim();
    change(Object.fromEntries(names.map((name) => [name, given(name) === usual[name] ? '' : given(name)])));
  };
  const common = filters.filter(({ isRare }) => isRare !== true);
  const rare = filters.filter(({ isRare }) => isRare === true);
  const fieldOf = ({ name, label, choices, type = 'text', usual: isUsual }: Filter) =>
    choices === undefined ? (
      <TextField
        key={name}
        label={label}
        type={type}
        autoComplete="off"
        spellCheck={false}
        value={typed[name] ?? ''}
        onChange={(event) => set(name, event.target.value)}
      />
    ) : (
      <SelectField
        key={name}
        label={label}
        choices={isUsual === undefined ? [{ value: '', name: 'Any' }, ...choices] : choices}
        value={typed[name] ?? ''}
        onChange={(event) => set(name, event.target.value)}
      />
    );
  return (
    <form className={styles.bar} onSubmit={submit} aria-label="Filters" data-screen-only>
      {common.map(fieldOf)}
      {rare.length === 0 ? null : (
        <details className={styles.rare} open={rare.some(({ name }) => values[name])}>
          <summary>More filters</summary>
          <div className={styles.fields}>{rare.map(fieldOf)}</div>
        </details>
      )}
      <div className={styles.actions}>
        <Button type="submit" look="main">
          Show
        </Button>
        {isFiltered ? (
          <Button onClick={() => change(Object.fromEntries(names.map((name) => [name, ''])))}>Clear</Button>
        ) : null}
        {children}
      </div>
    </form>
  );
}
