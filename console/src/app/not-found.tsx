/** The page of an unknown address. */
import { LinkButton } from '../widgets/button.tsx';
import { Empty } from '../widgets/notes.tsx';
import { Page } from '../widgets/page.tsx';

/** The page without navigation. */
export function NotFound() {
  return (
    <main>
      <NoScreen />
    </main>
  );
}

/** The page within the navigation, also for screens of the other application. */
export function NoScreen() {
  return (
    <Page title="Page not found">
      <Empty title="There is no page at this address.">Check the address, or go to Overview.</Empty>
      <div>
        <LinkButton to="/" look="main">
          Go to Overview
        </LinkButton>
      </div>
    </Page>
  );
}
