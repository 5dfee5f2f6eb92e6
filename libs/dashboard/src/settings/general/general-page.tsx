import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Page } from '../../frame/pages/page.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { AttributesPanel } from './attributes-panel.js';
import { DeleteProjectPanel } from './delete-project-panel.js';
import { HoldoutPanel } from './holdout-panel.js';
import { NamePanel } from './name-panel.js';
import { projectQuery } from './project.queries.js';
import { SdkEventsPanel } from './sdk-events-panel.js';
import { TransferPanel } from './transfer-panel.js';
import { WeekPanel } from './week-panel.js';

const route = getRouteApi('/signed-in/projects/$projectId/settings/general');

export default function GeneralPage() {
  const { projectId } = route.useParams();
  const project = useQuery(projectQuery(projectId));
  return (
    <Page title="General" id={projectId}>
      <QueryPanel query={project} queryKey={projectQuery(projectId).queryKey}>
        {(settings) => (
          // A form starts with the saved values, so saving resets it.
          <div key={JSON.stringify(settings)} className="grid gap-4">
            <NamePanel project={settings} />
            <TransferPanel project={settings} />
            <WeekPanel project={settings} />
            <SdkEventsPanel project={settings} />
            <HoldoutPanel project={settings} />
            <AttributesPanel project={settings} />
            <DeleteProjectPanel project={settings} />
          </div>
        )}
      </QueryPanel>
    </Page>
  );
}
