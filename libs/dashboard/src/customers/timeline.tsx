import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { itemsOf } from '../api/paging.js';
import { Button } from '../ui/button.js';
import { EmptyState } from '../ui/empty-state.js';
import { useFormat } from '../ui/format-context.js';
import { formatDate } from '../ui/format-time.js';
import { Panel } from '../ui/panel.js';
import { QueryPanel } from '../ui/query-panel.js';
import { SelectField } from '../ui/select-field.js';
import { useCustomer } from './customer-context.js';
import { timelineQuery } from './customers.queries.js';
import { text } from './customers.text.js';
import { daysOfEvents, type TimelineEvent } from './days-of-events.js';
import { describeEvent, eventKinds } from './describe-event.js';
import { TimelineEntry } from './timeline-entry.js';

const words = text.timeline;
const route = getRouteApi('/signed-in/projects/$projectId/customer');

/** What happened to the customer, newest first, in plain words. */
export function Timeline() {
  const { projectId, id } = useCustomer();
  const { kind, events: environment } = route.useSearch();
  const navigate = route.useNavigate();
  const format = useFormat();
  const options = timelineQuery(projectId, id, environment);
  const query = useInfiniteQuery(options);
  const when = (ms: number) => formatDate(format, ms);
  const isWanted = ({ type, body }: TimelineEvent) =>
    kind === undefined || describeEvent(type, body, when).kind === kind;
  const change = (search: { kind?: string; events?: string }) =>
    void navigate({
      search: (before) => ({ ...before, ...search }) as typeof before,
      replace: true,
      resetScroll: false,
    });
  const filters = (
    <>
      <SelectField
        size="sm"
        labelHidden
        label={words.kind}
        value={kind ?? ''}
        placeholder={words.all}
        options={eventKinds.map((value) => ({ value, label: words.kinds[value] }))}
        onChange={({ target }) => change({ kind: target.value || undefined })}
      />
      <SelectField
        size="sm"
        labelHidden
        label={words.environment}
        value={environment ?? ''}
        placeholder={words.both}
        options={(['production', 'sandbox'] as const).map((value) => ({ value, label: words[value] }))}
        onChange={({ target }) => change({ events: target.value || undefined })}
      />
    </>
  );
  return (
    <Panel title={words.title} padded={false} actions={filters}>
      <QueryPanel query={query} queryKey={options.queryKey} stale>
        {(data) => {
          const loaded = itemsOf(data);
          const days = daysOfEvents(loaded.filter(isWanted), ({ occurred_at: at }) => when(at));
          return (
            <div
              role="region"
              aria-label={words.region}
              tabIndex={0}
              className="overflow-y-auto outline-offset-[-2px]! lg:max-h-[34rem]"
            >
              {days.length === 0 &&
                (kind === undefined && environment === undefined ? (
                  <EmptyState sentence={words.empty} />
                ) : (
                  <EmptyState
                    sentence={words.noMatch}
                    action={
                      <Button onClick={() => change({ kind: undefined, events: undefined })}>
                        {words.clear}
                      </Button>
                    }
                  />
                ))}
              {days.map(({ day, events }) => (
                <section key={`${day} ${events[0]?.id}`} aria-label={day}>
                  <h3 className="sticky top-0 z-1 bg-panel px-4 pt-3 pb-1 text-sm font-medium text-muted">
                    {day}
                  </h3>
                  <ul>
                    {events.map((event) => (
                      <TimelineEntry key={event.id} event={event} />
                    ))}
                  </ul>
                </section>
              ))}
              {query.hasNextPage && (
                <div className="border-t border-line px-4 py-2">
                  <Button
                    size="sm"
                    variant="ghost"
                    busy={query.isFetchingNextPage}
                    onClick={() => void query.fetchNextPage()}
                  >
                    {words.more}
                  </Button>
                </div>
              )}
            </div>
          );
        }}
      </QueryPanel>
    </Panel>
  );
}
