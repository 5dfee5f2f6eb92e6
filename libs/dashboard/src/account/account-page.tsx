import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type Account, accountQuery } from '../api/account.queries.js';
import { enterpriseQuery } from '../api/organizations.queries.js';
import { Page } from '../frame/pages/page.js';
import { QueryPanel } from '../ui/loading/query-panel.js';
import { Tabs } from '../ui/tabs.js';
import { ClientsTab } from './clients/clients-tab.js';
import { OrganizationsTab } from './organizations-tab.js';
import { PreferencesTab } from './preferences/preferences-tab.js';
import { ProfileTab } from './profile/profile-tab.js';
import { SecurityTab } from './security/security-tab.js';
import { SessionsTab } from './sessions/sessions-tab.js';

const tabLabels = {
  profile: 'Profile',
  security: 'Security',
  sessions: 'Sessions',
  clients: 'Connected clients',
  organizations: 'Organizations',
  preferences: 'Preferences',
};

const route = getRouteApi('/signed-in/account');
const tabs = ['profile', 'security', 'sessions', 'clients', 'organizations', 'preferences'] as const;
type TabId = (typeof tabs)[number];

function Contents({ tab, account }: { tab: TabId; account: Account }) {
  if (tab === 'security') return <SecurityTab account={account} />;
  if (tab === 'sessions') return <SessionsTab />;
  if (tab === 'clients') return <ClientsTab />;
  if (tab === 'organizations') return <OrganizationsTab userId={account.user.id} />;
  if (tab === 'preferences') return <PreferencesTab account={account} />;
  return <ProfileTab account={account} />;
}

export default function AccountPage() {
  const { tab = 'profile' } = route.useSearch();
  const navigate = route.useNavigate();
  const account = useQuery(accountQuery);
  const { data: enterprise = null } = useQuery(enterpriseQuery);
  const shown = tabs.filter((id) => id !== 'organizations' || enterprise !== null);
  return (
    <Page title="Account">
      <div>
        <Tabs
          label="Parts of your account"
          tabs={shown.map((id) => ({ id, label: tabLabels[id] }))}
          value={tab}
          onChange={(id) => void navigate({ search: { tab: id === 'profile' ? undefined : id } })}
        >
          <div className="flex max-w-3xl flex-col gap-5">
            <QueryPanel query={account} queryKey={accountQuery.queryKey}>
              {(data) => (
                <div className="flex flex-col gap-5">
                  <Contents tab={tab} account={data} />
                </div>
              )}
            </QueryPanel>
          </div>
        </Tabs>
      </div>
    </Page>
  );
}
