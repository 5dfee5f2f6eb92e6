import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Page } from '../../frame/pages/page.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { settingsQuery } from './redemption.queries.js';
import { SettingsForm } from './settings-form.js';

const route = getRouteApi('/signed-in/projects/$projectId/settings/redemption');

export default function RedemptionPage() {
  const { projectId } = route.useParams();
  const options = settingsQuery(projectId);
  const query = useQuery(options);
  return (
    <Page
      title="Web purchases"
      note="Web buyers get a link that unlocks the purchase in the app. Create links on a customer’s page or with the API."
    >
      <QueryPanel query={query} queryKey={options.queryKey}>
        {/* Saving resets the form. */}
        {(settings) => (
          <SettingsForm key={JSON.stringify(settings)} settings={settings} projectId={projectId} />
        )}
      </QueryPanel>
    </Page>
  );
}
