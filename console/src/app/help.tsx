/** The dialog of keyboard shortcuts. */
import { Dialog } from '../widgets/dialog.tsx';
import styles from './help.module.css';
import { shortcuts } from './shortcuts.ts';

export function Help({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title="Keyboard shortcuts" lead="They work while you are not typing.">
      <dl className={styles.keys}>
        {shortcuts.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
