/**
 * A modal dialog. Its first field has the focus, so that a person can type at once. A click outside
 * does not close it, so no half-filled form is lost. Esc closes it, except while it is `held`.
 */
import { Dialog as Base } from '@base-ui/react/dialog';
import { type ReactNode, useRef } from 'react';
import styles from './dialog.module.css';

const FIELD = 'form :is(input, select, textarea)';

export function Dialog({
  open,
  onClose,
  title,
  lead,
  children,
  wide = false,
  held = false,
}: {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly lead?: ReactNode;
  readonly children: ReactNode;
  readonly wide?: boolean;
  /** Only the button of its content closes it, because it shows a secret that is shown once. */
  readonly held?: boolean;
}) {
  const popup = useRef<HTMLDivElement>(null);
  // On a touch screen a focused field would open the keyboard.
  const firstField = (openedBy: string) =>
    openedBy === 'touch' || (popup.current?.querySelector<HTMLElement>(FIELD) ?? true);
  return (
    <Base.Root
      open={open}
      disablePointerDismissal
      onOpenChange={(isOpen, { reason }) => {
        if (!isOpen && !(held && reason === 'escape-key')) onClose();
      }}
    >
      <Base.Portal>
        <Base.Backdrop className={styles.veil} />
        <Base.Popup
          ref={popup}
          initialFocus={firstField}
          className={`${styles.dialog} ${wide ? styles.wide : ''}`}
        >
          <div className={styles.head}>
            <Base.Title className={styles.title}>{title}</Base.Title>
            {held ? null : (
              <Base.Close className={styles.close} aria-label="Close">
                ✕
              </Base.Close>
            )}
          </div>
          {lead === undefined ? null : <Base.Description className={styles.lead}>{lead}</Base.Description>}
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
