/** A merchant: its money, its keys, what it may sell, and what was done to it. */
import { useParams } from '@tanstack/react-router';
import type { Output } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';
import { dayText } from '../../design/format.ts';
import { Act } from '../../widgets/act.tsx';
import { merchantPath } from '../../widgets/go.tsx';
import { MoreOperations } from '../../widgets/more-operations.tsx';
import { Loading, Trouble } from '../../widgets/notes.tsx';
import { Page } from '../../widgets/page.tsx';
import { Tabs } from '../../widgets/tabs.tsx';
import { State } from '../../widgets/values.tsx';
import { Credentials } from './credentials.tsx';
import { Funding } from './funding.tsx';
import { Done, MerchantPurchases, MerchantVouchers, MerchantWebhooks } from './lists.tsx';
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
          <State state={merchant.state} /> Code {merchant.code}, here since {dayText(merchant.created_at)}
        </>
      }
      acts={<Suspension {...of} />}
    >
      <Tabs
        label="About the merchant"
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
          { id: 'people', name: 'People', show: () => <Team {...of} /> },
          { id: 'done', name: 'What was done', show: () => <Done {...of} /> },
        ]}
      />
      <MoreOperations screen="merchant" given={{ merchant: merchant.code }} />
    </Page>
  );
}

function Suspension({ merchant }: { readonly merchant: Merchant }) {
  const given = { merchant: merchant.code };
  return merchant.state === 'active' ? (
    <Act
      name="merchant.suspend"
      verb="Suspend"
      look="danger"
      title={`Suspend ${merchant.name}`}
      given={given}
      fields={[]}
      done="It is suspended: its purchases are refused from now on."
    />
  ) : (
    <Act
      name="merchant.resume"
      verb="Let it in again"
      look="main"
      given={given}
      fields={[]}
      done="It may buy again."
    />
  );
}
