/** A merchant: wallets, credentials, products, and its audit log. */
import { useParams } from '@tanstack/react-router';
import type { Output } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';
import { dayText } from '../../design/format.ts';
import { Copyable } from '../../widgets/copy.tsx';
import { merchantPath } from '../../widgets/go.tsx';
import { Loading, Trouble } from '../../widgets/notes.tsx';
import { OperationButton } from '../../widgets/operation-button.tsx';
import { Page } from '../../widgets/page.tsx';
import { Tabs } from '../../widgets/tabs.tsx';
import { State } from '../../widgets/values.tsx';
import { Credentials } from './credentials.tsx';
import { Funding } from './funding.tsx';
import { MerchantAuditLog, MerchantPurchases, MerchantVouchers, MerchantWebhooks } from './lists.tsx';
import { Onboarding } from './onboarding.tsx';
import { OwnView } from './own-view.tsx';
import { Products } from './products.tsx';
import { Statement } from './statement.tsx';
import { Team } from './team.tsx';
import { Wallets } from './wallets.tsx';

export type Merchant = Output<'merchant.show'>;

export function MerchantScreen() {
  const { merchant: code = '' } = useParams({ strict: false });
  const { data: merchant, error, refetch } = useAnswer('merchant.show', { merchant: code });
  if (error !== null) {
    return (
      <Page title={`Merchant ${code}`}>
        <Trouble error={error} again={() => void refetch()} />
      </Page>
    );
  }
  if (merchant === undefined) return <Loading what="the merchant" />;
  const of = { merchant };
  return (
    <Page
      title={merchant.name}
      lead={
        <>
          <State state={merchant.state} /> Created {dayText(merchant.created_at)}, code{' '}
          <Copyable value={merchant.code} name="code" />
        </>
      }
      actions={<Suspension {...of} />}
    >
      <Onboarding {...of} />
      <Tabs
        label="Merchant"
        path={merchantPath(code)}
        tabs={[
          { id: 'wallets', name: 'Wallets', show: () => <Wallets {...of} /> },
          { id: 'purchases', name: 'Purchases', show: () => <MerchantPurchases {...of} /> },
          { id: 'statement', name: 'Statement', show: () => <Statement {...of} /> },
          { id: 'credentials', name: 'Credentials', show: () => <Credentials {...of} /> },
          { id: 'products', name: 'Products and discounts', show: () => <Products {...of} /> },
          { id: 'funding', name: 'Funding', show: () => <Funding {...of} /> },
          { id: 'webhooks', name: 'Webhooks', show: () => <MerchantWebhooks {...of} /> },
          { id: 'vouchers', name: 'Vouchers', show: () => <MerchantVouchers {...of} /> },
          { id: 'people', name: 'Team', show: () => <Team {...of} /> },
          { id: 'done', name: 'Audit log', show: () => <MerchantAuditLog {...of} /> },
          { id: 'own', name: 'Merchant’s view', show: () => <OwnView {...of} /> },
        ]}
      />
    </Page>
  );
}

function Suspension({ merchant }: { readonly merchant: Merchant }) {
  const given = { merchant: merchant.code };
  return merchant.state === 'active' ? (
    <OperationButton
      name="merchant.suspend"
      verb="Suspend"
      look="danger"
      title={`Suspend ${merchant.name}`}
      given={given}
      fields={[]}
      done="Merchant suspended. Its purchases are refused."
    />
  ) : (
    <OperationButton
      name="merchant.resume"
      verb="Resume"
      look="main"
      given={given}
      fields={[]}
      done="Merchant resumed."
    />
  );
}
