/** Short messages that disappear by themselves. Screen readers announce them. */
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';
import { Button } from './button.tsx';
import styles from './toasts.module.css';

type Toast = { readonly id: number; readonly text: string; readonly tone: 'good' | 'wait' };
type Say = (text: string, tone?: Toast['tone']) => void;

const SHOWN_MS = 8_000;
const ToastContext = createContext<Say>(() => undefined);

export function useToast(): Say {
  return useContext(ToastContext);
}

export function Toasts({ children }: { readonly children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const drop = useCallback((id: number) => setToasts((all) => all.filter((one) => one.id !== id)), []);
  const say = useMemo<Say>(() => {
    let last = 0;
    return (text, tone = 'good') => {
      last += 1;
      const id = last;
      setToasts((all) => [...all.slice(-3), { id, text, tone }]);
      setTimeout(() => drop(id), SHOWN_MS);
    };
  }, [drop]);
  return (
    <ToastContext value={say}>
      {children}
      <div role="status" aria-live="polite" className={styles.toasts} data-screen-only>
        {toasts.map(({ id, text, tone }) => (
          <div key={id} className={`${styles.toast} ${styles[tone]}`}>
            <span>{text}</span>
            <Button look="quiet" onClick={() => drop(id)} aria-label="Close this message">
              ✕
            </Button>
          </div>
        ))}
      </div>
    </ToastContext>
  );
}
