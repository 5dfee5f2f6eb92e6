import { getRouteApi } from '@tanstack/react-router';
import { Panel } from '../ui/panel.js';
import { Tabs } from '../ui/tabs.js';
import { AliasesTab } from './aliases-tab.js';
import { BalancesTab } from './balances-tab.js';
import type { Summary } from './customers.queries.js';
import { JsonTab } from './json-tab.js';
import { LinksTab } from './links/links-tab.js';
import { PurchasesTab } from './purchases/purchases-tab.js';
import { SubscriptionsTab } from './purchases/subscriptions-tab.js';

const route = getRouteApi('/signed-in/projects/$projectId/customer');

const contents = {
  subscriptions: SubscriptionsTab,
  purchases: PurchasesTab,
  balances: BalancesTab,
  aliases: AliasesTab,
  links: LinksTab,
  json: JsonTab,
};

/** Lists of the customer's data. The active tab is stored in the address. */
export function CustomerTabs({ summary }: { summary: Summary | undefined }) {
  const { tab = 'subscriptions' } = route.useSearch();
  const navigate = route.useNavigate();
  const Content = contents[tab];
  return (
    <Panel padded={false}>
      <Tabs
        label="Details of the customer"
        value={tab}
        onChange={(next) =>
          void navigate({
            search: (before) => ({ ...before, tab: next === 'subscriptions' ? undefined : next }),
            replace: true,
            resetScroll: false,
          })
        }
        tabs={[
          // Includes grants, which are subscriptions too.
          { id: 'subscriptions', label: 'Subscriptions', count: summary?.subscriptions.length },
          { id: 'purchases', label: 'Purchases', count: summary?.purchases.length },
          { id: 'balances', label: 'Balances' },
          { id: 'aliases', label: 'Aliases', count: summary?.aliases.length },
          { id: 'links', label: 'Links' },
          { id: 'json', label: 'JSON' },
        ]}
      >
        <Content />
      </Tabs>
    </Panel>
  );
}
