/** The settings: every fault at once, and names that Oja does not know. */
import { type Finding, ok, warn, wrong } from './finding.ts';

export type UnknownSetting = { readonly name: string; readonly nearest: string | undefined };

export function checkSettings(
  faults: readonly string[],
  unknown: readonly UnknownSetting[],
  profile: string,
): Finding[] {
  const found = [
    ...faults.map((fault) => wrong('settings', fault, 'set it, and start the gateway again (running.md)')),
    ...unknown.map(({ name, nearest }) =>
      nearest === undefined
        ? warn('settings', `${name} is no setting of Oja, and does nothing`, 'remove it, or see running.md')
        : wrong('settings', `${name} is no setting of Oja, and does nothing`, `write ${nearest}`),
    ),
  ];
  return found.length > 0 ? found : [ok('settings', `all are understood; the profile is ${profile}`)];
}
