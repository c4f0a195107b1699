/** The switch between live and test data, for all screens of the console. */
import { useRouterState } from '@tanstack/react-router';
import { words } from '../design/format.ts';
import { listedScreens, screens } from '../screens.ts';
import { type Environment, useEnvironment } from '../widgets/environment.ts';
import { useFilters } from '../widgets/filters.ts';
import styles from './environment-switch.module.css';

const environments: readonly Environment[] = ['live', 'test'];

export function EnvironmentSwitch() {
  const shown = useEnvironment();
  const [, change] = useFilters();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return (
    <fieldset className={styles.switch} data-environment={shown}>
      <legend className="only-read">Environment</legend>
      {environments.map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={shown === one}
          className={styles.choice}
          onClick={() => change({ environment: one === 'live' ? '' : one }, listOf(path))}
        >
          {words(one)}
        </button>
      ))}
    </fieldset>
  );
}

/** Returns the list of a thing that belongs to one environment, such as a purchase. */
function listOf(path: string): string {
  const isForBoth =
    listedScreens.some((screen) => screen.path === path) || path.startsWith(`${screens.merchants.path}/`);
  return isForBoth ? path : `/${path.split('/')[1]}`;
}
