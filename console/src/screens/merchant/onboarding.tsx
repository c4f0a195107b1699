/** The steps until a merchant can sell, each with the part of the screen where it is done. */
import { usePages } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { minorUnits } from '../../design/format.ts';
import { Checklist } from '../../widgets/checklist.tsx';
import { useEnvironment } from '../../widgets/environment.ts';
import { merchantPath } from '../../widgets/go.tsx';
import { Panel } from '../../widgets/page.tsx';
import type { Merchant } from './merchant.tsx';

export function Onboarding({ merchant }: { readonly merchant: Merchant }) {
  const environment = useEnvironment();
  const may = useMay();
  const of = { merchant: merchant.code };
  const credentials = usePages('credential.list', of);
  const endpoints = usePages('webhook.list', { ...of, environment });
  const team = usePages('team.list', of, { enabled: may('team.list') });
  const own = merchant.wallets.filter((wallet) => wallet.environment === environment);
  const keys = credentials.rows.filter((key) => key.environment === environment && key.state === 'active');
  const tab = (id: string) => `${merchantPath(merchant.code)}?tab=${id}`;
  if (credentials.isLoading || endpoints.isLoading || team.isLoading) return null;
  const steps = [
    {
      name: 'Enable products',
      isDone: merchant.products[environment].length > 0,
      to: tab('products'),
    },
    {
      name: 'Fund the wallet',
      isDone: own.some(({ available }) => minorUnits(available) > 0n),
      to: merchantPath(merchant.code),
    },
    { name: 'Issue a credential', isDone: keys.length > 0, to: tab('credentials') },
    { name: 'Add a webhook endpoint', isDone: endpoints.rows.length > 0, to: tab('webhooks') },
    ...(may('team.list')
      ? [{ name: 'Invite its people', isDone: team.rows.length > 0, to: tab('people') }]
      : []),
    { name: 'First purchase', isDone: keys.some((key) => key.last_used_at !== null), to: tab('purchases') },
  ];
  const done = steps.filter(({ isDone }) => isDone).length;
  if (done === steps.length) return null;
  return (
    <Panel title="Onboarding" note={`${done} of ${steps.length} steps are done in ${environment}.`}>
      <Checklist steps={steps} />
    </Panel>
  );
}
