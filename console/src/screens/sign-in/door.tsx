/** The frame of pages without a session: sign-in, invitations, and password resets. */
import type { ReactNode } from 'react';
import { Page } from '../../widgets/page.tsx';
import styles from './door.module.css';

export function Door({
  title,
  lead,
  children,
}: {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <main className={styles.door}>
      <div className={styles.card}>
        <p className={styles.brand}>
          <img src="/oja.svg" alt="" width="30" height="30" /> Oja
        </p>
        <Page title={title} lead={lead}>
          {children}
        </Page>
      </div>
    </main>
  );
}
