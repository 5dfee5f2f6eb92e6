import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { allowanceIn, useProject } from '../../api/permissions.js';
import { Page } from '../../frame/pages/page.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { Tabs } from '../../ui/tabs.js';
import { IdentitiesPanel } from './identities-panel.js';
import { ProvidersPanel } from './providers-panel.js';
import { SettingsPanel } from './settings-panel.js';
import { settingsQuery } from './sign-in.queries.js';

const route = getRouteApi('/signed-in/projects/$projectId/settings/sign-in');

export default function CustomerSignInPage() {
  const { projectId } = route.useParams();
  const { tab = 'providers', customer } = route.useSearch();
  const navigate = route.useNavigate();
  const settings = useQuery(settingsQuery(projectId));
  const mayIdentities = allowanceIn(useProject(), 'listAuthIdentities').allowed;
  const tabs = [
    { id: 'providers', label: 'Providers' },
    ...(mayIdentities ? [{ id: 'identities', label: 'Customers' }] : []),
  ];
  return (
    <Page
      title="Customer sign-in"
      note="Customers of your apps sign in with your identity provider, and the SDK uses their token instead of the public key."
    >
      <div>
        <Tabs
          label="Customer sign-in"
          tabs={tabs}
          value={tab}
          onChange={(next) =>
            void navigate({
              search: (before) => ({
                ...before,
                tab: next === 'identities' ? next : undefined,
                customer: undefined,
              }),
            })
          }
        >
          {tab === 'identities' && mayIdentities ? (
            <IdentitiesPanel
              projectId={projectId}
              appUserId={customer}
              onFind={(id) => void navigate({ search: (before) => ({ ...before, customer: id }) })}
            />
          ) : (
            <div className="ui-in-turn grid gap-4">
              <QueryPanel query={settings} queryKey={settingsQuery(projectId).queryKey}>
                {(saved) => (
                  <SettingsPanel key={JSON.stringify(saved)} settings={saved} projectId={projectId} />
                )}
              </QueryPanel>
              <ProvidersPanel projectId={projectId} />
            </div>
          )}
        </Tabs>
      </div>
    </Page>
  );
}
