import { getRouteApi } from '@tanstack/react-router';
import { Panel } from '../ui/panel.js';
import { Tabs } from '../ui/tabs.js';
import { AliasesTab } from './aliases-tab.js';
import { AttributesTab } from './attributes/attributes-tab.js';
import { BalancesTab } from './balances-tab.js';
import type { Customer, Summary } from './customers.queries.js';
import { text } from './customers.text.js';
import { JsonTab } from './json-tab.js';
import { LinksTab } from './links/links-tab.js';
import { PurchasesTab } from './purchases/purchases-tab.js';
import { SubscriptionsTab } from './purchases/subscriptions-tab.js';

const route = getRouteApi('/signed-in/projects/$projectId/customer');
const words = text.tabs;

const contents = {
  subscriptions: SubscriptionsTab,
  purchases: PurchasesTab,
  attributes: AttributesTab,
  balances: BalancesTab,
  aliases: AliasesTab,
  links: LinksTab,
  json: JsonTab,
};

interface CustomerTabsProps {
  customer: Customer | undefined;
  summary: Summary | undefined;
}

/** Lists of the customer's data. The active tab is stored in the address. */
export function CustomerTabs({ customer, summary }: CustomerTabsProps) {
  const { tab = 'subscriptions' } = route.useSearch();
  const navigate = route.useNavigate();
  const Content = contents[tab];
  return (
    <Panel padded={false}>
      <Tabs
        label={words.label}
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
          { id: 'subscriptions', label: words.subscriptions, count: summary?.subscriptions.length },
          { id: 'purchases', label: words.purchases, count: summary?.purchases.length },
          { id: 'attributes', label: words.attributes, count: customer?.attributes?.items.length },
          { id: 'balances', label: words.balances },
          { id: 'aliases', label: words.aliases, count: summary?.aliases.length },
          { id: 'links', label: words.links },
          { id: 'json', label: words.json },
        ]}
      >
        <Content />
      </Tabs>
    </Panel>
  );
}
