import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { docsOf } from '../api/docs-link.js';
import { useEnvironment } from '../frame/environment.js';
import { Page } from '../frame/pages/page.js';
import { CsvButton } from '../ui/csv-button.js';
import { Switch } from '../ui/forms/choice.js';
import { Panel } from '../ui/panel.js';
import { QueryList } from '../ui/lists/query-list.js';
import { WithSidePanel } from '../ui/overlays/side-panel.js';
import { eventColumns } from './event-columns.js';
import { EventFilters } from './event-filters.js';
import { EventPanel } from './event-panel.js';
import { saveEvents } from './events-csv.js';
import { eventsQuery } from './events.queries.js';
import { useScrolled } from './use-scrolled.js';

const route = getRouteApi('/signed-in/projects/$projectId/events');

/** All recorded events, newest first. */
export default function EventsPage() {
  const { projectId } = route.useParams();
  const { type, app, customer, event, follow } = route.useSearch();
  const navigate = route.useNavigate();
  const environment = useEnvironment().filter;
  const isScrolled = useScrolled();
  const filter = { type, app_id: app, customer, environment };
  const query = eventsQuery(projectId, filter, follow === 'yes' && !isScrolled);
  const list = useInfiniteQuery(query);
  return (
    <Page
      title="Events"
      actions={
        <>
          <Switch
            label="Follow"
            checked={follow === 'yes'}
            onChange={({ target }) =>
              void navigate({
                search: (before) => ({ ...before, follow: target.checked ? ('yes' as const) : undefined }),
                replace: true,
              })
            }
          />
          <CsvButton onClick={() => saveEvents(projectId, filter)} />
        </>
      }
    >
      {follow === 'yes' && (
        <p className="-my-2 text-sm text-muted">
          {isScrolled
            ? 'Following is paused while you are scrolled down.'
            : 'Looks for new events every 3 seconds.'}
        </p>
      )}
      <WithSidePanel
        panel={
          event !== undefined && (
            <EventPanel
              key={event}
              projectId={projectId}
              eventId={event}
              onClose={() => void navigate({ search: (before) => ({ ...before, event: undefined }) })}
            />
          )
        }
      >
        <Panel padded={false}>
          <EventFilters
            projectId={projectId}
            filter={filter}
            onChange={(changes) =>
              void navigate({ search: (before) => ({ ...before, ...changes }), replace: true })
            }
          />
          <QueryList
            label="Events"
            query={list}
            queryKey={query.queryKey}
            things="events"
            filtered={type !== undefined || app !== undefined || customer !== undefined}
            onClearFilters={() => void navigate({ search: { follow } })}
            empty={{
              sentence:
                'Everything that happens to customers is recorded here: purchases, renewals, refunds, transfers.',
              docs: docsOf('Events'),
            }}
            rowKey={({ id }) => id}
            selectedKey={event}
            onOpen={({ id }) => void navigate({ search: (before) => ({ ...before, event: id }) })}
            columns={eventColumns(projectId, event !== undefined)}
          />
        </Panel>
      </WithSidePanel>
    </Page>
  );
}
