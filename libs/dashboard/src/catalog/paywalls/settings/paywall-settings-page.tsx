import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Page } from '../../../frame/pages/page.js';
import { QueryPanel } from '../../../ui/loading/query-panel.js';
import { paywallSettingsQuery } from '../paywalls.queries.js';
import { ColorsPanel } from './colors-panel.js';
import { FontsPanel } from './fonts-panel.js';
import { VariablesPanel } from './variables-panel.js';

const route = getRouteApi('/signed-in/projects/$projectId/catalog/paywall-settings');

export default function PaywallSettingsPage() {
  const { projectId } = route.useParams();
  const query = useQuery(paywallSettingsQuery(projectId));
  return (
    <Page
      title="Colors and fonts"
      note="What all paywalls share. Changes reach apps without publishing again."
    >
      <QueryPanel query={query} queryKey={paywallSettingsQuery(projectId).queryKey}>
        {(settings) => (
          <div className="grid gap-4">
            <ColorsPanel {...{ projectId, settings }} />
            <FontsPanel {...{ projectId, settings }} />
            <VariablesPanel {...{ projectId, settings }} />
          </div>
        )}
      </QueryPanel>
    </Page>
  );
}
