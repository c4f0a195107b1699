/** A dialog: the focus stays in it, Esc closes it, and the focus goes back to where it was. */
import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import styles from './dialog.module.css';

export function Dialog({
  open,
  onClose,
  title,
  lead,
  children,
  wide = false,
}: {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly lead?: ReactNode;
  readonly children: ReactNode;
  readonly wide?: boolean;
}) {
  return (
    <Base.Root open={open} onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      <Base.Portal>
        <Base.Backdrop className={styles.veil} />
        <Base.Popup className={`${styles.dialog} ${wide ? styles.wide : ''}`}>
          <div className={styles.head}>
            <Base.Title className={styles.title}>{title}</Base.Title>
            <Base.Close className={styles.close} aria-label="Close">
              ✕
            </Base.Close>
          </div>
          {lead === undefined ? null : <Base.Description className={styles.lead}>{lead}</Base.Description>}
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
