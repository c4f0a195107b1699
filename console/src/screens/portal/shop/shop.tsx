/** How the merchant appears on the receipts of its customers. */
import { useAnswer } from '../../../api/queries.ts';
import { Loading, Trouble } from '../../../widgets/notes.tsx';
import { OperationButton } from '../../../widgets/operation-button.tsx';
import { Facts, Page, Panel } from '../../../widgets/page.tsx';
import { Nothing } from '../../../widgets/values.tsx';
import styles from './shop.module.css';

export function Shop() {
  const { data: shop, error, refetch } = useAnswer('shop.show', {});
  return (
    <Page
      title="Shop"
      lead="Your name and logo on receipts."
      actions={
        shop === undefined ? undefined : (
          <OperationButton
            name="shop.set"
            verb="Change"
            look="main"
            title="Change name and logo"
            lead="Receipts that are open already show it when they are loaded again."
            start={{ name: shop.name }}
            fields={shop.logo === null ? ['name', 'logo'] : ['name', 'logo', 'remove_logo']}
            labels={{ name: 'Name of the shop', logo: 'Logo', remove_logo: 'Show no logo' }}
            done="Saved."
          />
        )
      }
    >
      {error === null ? null : <Trouble error={error} again={() => void refetch()} />}
      {shop === undefined ? (
        error === null && <Loading what="your shop" />
      ) : (
        <Panel title="On receipts">
          <Facts
            facts={[
              ['Name', shop.name],
              [
                'Logo',
                shop.logo === null ? (
                  <Nothing key="l" />
                ) : (
                  <img
                    key="l"
                    className={styles.logo}
                    src={`data:${shop.logo_type};base64,${shop.logo}`}
                    alt="Your logo"
                  />
                ),
              ],
            ]}
          />
        </Panel>
      )}
    </Page>
  );
}
