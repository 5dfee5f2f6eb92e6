import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Page } from '../frame/pages/page.js';
import { NotFoundPage } from '../frame/pages/problem-page.js';
import { QueryPanel } from '../ui/loading/query-panel.js';
import { Panel } from '../ui/panel.js';
import { typesQuery } from './destinations.queries.js';
import { NewDestinationForm } from './form/new-destination-form.js';
import { SentPanel } from './form/sent-panel.js';

const route = getRouteApi('/signed-in/projects/$projectId/integrations/new/$destinationType');

/** Adds a destination: its form, and what the tool will receive. */
export default function NewDestinationPage() {
  const { projectId, destinationType } = route.useParams();
  const query = typesQuery(projectId);
  const types = useQuery(query);
  const type = types.data?.find(({ id }) => id === destinationType);
  if (types.data && !type) return <NotFoundPage />;
  return (
    <Page title={type ? `Add ${type.name}` : 'Add a destination'} note={type?.description}>
      {type ? (
        <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,2fr)_minmax(16rem,1fr)]">
          <Panel>
            <NewDestinationForm key={type.id} projectId={projectId} type={type} />
          </Panel>
          <SentPanel type={type} />
        </div>
      ) : (
        <Panel>
          <QueryPanel query={types} queryKey={query.queryKey}>
            {() => null}
          </QueryPanel>
        </Panel>
      )}
    </Page>
  );
}
