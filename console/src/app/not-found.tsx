/** What an address shows that is no screen's. */
import { LinkButton } from '../widgets/button.tsx';
import { Empty } from '../widgets/notes.tsx';
import { Page } from '../widgets/page.tsx';

/** Of an address that nothing is at, with nothing around it. */
export function NotFound() {
  return (
    <main>
      <NoScreen />
    </main>
  );
}

/** Of an address that is a screen's of the other face. */
export function NoScreen() {
  return (
    <Page title="There is no such page">
      <Empty title="Nothing was found at this address.">Check the address, or go to Overview.</Empty>
      <div>
        <LinkButton to="/" look="main">
          Go to Overview
        </LinkButton>
      </div>
    </Page>
  );
}
