/** Saved views of the list of purchases: a name and filters, stored in this browser by user. */

export type View = { readonly name: string; readonly search: string };

const VIEWS_MAX = 20;
export const NAME_LENGTH_MAX = 40;

function keyOf(user: string): string {
  return `oja-views-${user}`;
}

export function readViews(user: string): readonly View[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(user)) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isView) : [];
  } catch {
    return [];
  }
}

function isView(one: unknown): one is View {
  const { name, search } = Object(one) as Partial<Record<keyof View, unknown>>;
  return typeof name === 'string' && typeof search === 'string';
}

/** Saves a view. Replaces a view of the same name, and drops the oldest beyond the limit. */
export function saveView(user: string, view: View): readonly View[] {
  const others = readViews(user).filter(({ name }) => name !== view.name);
  return store(user, [...others, view].slice(-VIEWS_MAX));
}

export function dropView(user: string, name: string): readonly View[] {
  return store(
    user,
    readViews(user).filter((view) => view.name !== name),
  );
}

function store(user: string, views: readonly View[]): readonly View[] {
  localStorage.setItem(keyOf(user), JSON.stringify(views));
  return views;
}
