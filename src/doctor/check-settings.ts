/** The settings: every fault at once, names that Oja does not know, and what must be chosen. */
import { formatAmount } from '../kernel/money.ts';
import { type Finding, ok, warn, wrong } from './finding.ts';

export type UnknownSetting = { readonly name: string; readonly nearest: string | undefined };

type Settings = {
  readonly profile: string;
  readonly isCorrectionLimitChosen: boolean;
  readonly correctionLimit: bigint | undefined;
};

export function checkSettings(
  faults: readonly string[],
  unknown: readonly UnknownSetting[],
  { profile, isCorrectionLimitChosen, correctionLimit = 0n }: Settings,
): Finding[] {
  const found = [
    ...faults.map((fault) => wrong('settings', fault, 'set it, and start the gateway again (running.md)')),
    ...unknown.map(({ name, nearest }) =>
      nearest === undefined
        ? warn('settings', `${name} is no setting of Oja, and does nothing`, 'remove it, or see running.md')
        : wrong('settings', `${name} is no setting of Oja, and does nothing`, `write ${nearest}`),
    ),
    ...(isCorrectionLimitChosen
      ? []
      : [
          warn(
            'settings',
            `OJA_CORRECTION_LIMIT is not set: one person may give away ${formatAmount(correctionLimit)} in a day`,
            'choose a limit, or 0 for none, and see approvals.md',
          ),
        ]),
  ];
  return found.length > 0 ? found : [ok('settings', `all are understood; the profile is ${profile}`)];
}
