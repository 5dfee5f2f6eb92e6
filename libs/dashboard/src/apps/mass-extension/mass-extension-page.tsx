import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Page } from '../../frame/pages/page.js';
import { Button } from '../../ui/button.js';
import { Panel } from '../../ui/panel.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { appQuery } from '../apps.queries.js';
import { MassExtensionForm } from './mass-extension-form.js';
import { MassExtensionProgress } from './mass-extension-progress.js';
import { watchExtension } from './watch-extension.js';

const route = getRouteApi('/signed-in/projects/$projectId/apps/$appId/extend');

export default function MassExtensionPage() {
  const { projectId, appId } = route.useParams();
  const { request } = route.useSearch();
  const navigate = route.useNavigate();
  const query = appQuery(projectId, appId);
  const app = useQuery(query);
  return (
    <Page
      title="Extend subscriptions"
      note="Moves the renewal date of every active subscription of a product at the App Store."
      actions={request && <Button onClick={() => void navigate({ search: {} })}>New extension</Button>}
    >
      <QueryPanel query={app} queryKey={query.queryKey}>
        {({ type }) => {
          if (type !== 'app_store' && type !== 'mac_app_store')
            return <Panel>Only the App Store extends all subscriptions of a product at once.</Panel>;
          if (request)
            return <MassExtensionProgress projectId={projectId} appId={appId} requestId={request} />;
          return (
            <MassExtensionForm
              projectId={projectId}
              appId={appId}
              onRequested={(extension) => {
                watchExtension(projectId, extension);
                void navigate({ search: { request: extension.id } });
              }}
            />
          );
        }}
      </QueryPanel>
    </Page>
  );
}
