/** The menu of the signed-in user: account, theme and sign-out. */
import { Menu } from '@base-ui/react/menu';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { useSession } from '../api/session.ts';
import { words } from '../design/format.ts';
import { chooseCompact, chooseTheme, chosenTheme, isCompact, type Theme, themes } from '../design/theme.ts';
import { useGoTo } from '../widgets/environment.ts';
import styles from './account-menu.module.css';

const themeNames: Readonly<Record<Theme, string>> = { system: 'Follow system', light: 'Light', dark: 'Dark' };

export function Account({ onHelp }: { readonly onHelp: () => void }) {
  const session = useSession();
  const router = useRouter();
  const goTo = useGoTo();
  const queries = useQueryClient();
  const [theme, setTheme] = useState(chosenTheme);
  const [compact, setCompact] = useState(isCompact);
  const choose = (chosen: Theme) => {
    chooseTheme(chosen);
    setTheme(chosen);
  };
  const signOut = async () => {
    await call('/api/sign-out', {}).catch(() => undefined);
    queries.clear();
    router.history.push('/sign-in');
  };
  if (session === undefined) return null;
  const { user, roles } = session;
  return (
    <Menu.Root>
      <Menu.Trigger className={styles.trigger}>
        <span aria-hidden="true" className={styles.mark}>
          {user.name.charAt(0).toUpperCase()}
        </span>
        <span className={styles.name}>{user.name}</span>
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={6} align="end" className={styles.place}>
          <Menu.Popup className={styles.popup}>
            <div className={styles.who}>
              <strong>{user.name}</strong>
              <span>{user.email}</span>
              <span>{roles.map(words).join(', ')}</span>
            </div>
            <Menu.Item className={styles.item} onClick={() => goTo('/account')}>
              Your account
            </Menu.Item>
            <Menu.Item className={styles.item} onClick={onHelp}>
              Keyboard shortcuts
            </Menu.Item>
            <Menu.RadioGroup value={theme} onValueChange={(chosen) => choose(chosen as Theme)}>
              {themes.map((one) => (
                <Menu.RadioItem key={one} value={one} className={styles.item} closeOnClick>
                  <span aria-hidden="true">{theme === one ? '●' : '○'}</span> {themeNames[one]}
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
            <Menu.CheckboxItem
              className={styles.item}
              checked={compact}
              onCheckedChange={(isWanted) => {
                chooseCompact(isWanted);
                setCompact(isWanted);
              }}
            >
              <span aria-hidden="true">{compact ? '☑' : '☐'}</span> Compact lists
            </Menu.CheckboxItem>
            <Menu.Item className={styles.item} onClick={() => void signOut()}>
              Sign out
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
