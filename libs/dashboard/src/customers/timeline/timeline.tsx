import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { itemsOf } from '../../api/paging.js';
import { useMay } from '../../api/permissions.js';
import { Button } from '../../ui/button.js';
import { EmptyState } from '../../ui/loading/empty-state.js';
import { useFormat, useNow } from '../../ui/format/format-context.js';
import { formatDate } from '../../ui/format/format-time.js';
import { Panel } from '../../ui/panel.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { useSummary } from '../use-summary.js';
import { useCustomer } from '../customer-context.js';
import { explanationQuery, timelineQuery } from '../customers.queries.js';
import { daysOfEvents, type TimelineEvent } from './days-of-events.js';
import { describeEvent, eventKinds } from './describe-event.js';
import { notesQuery } from '../notes/notes.queries.js';
import { customerTransactionsQuery } from '../purchases/purchases.queries.js';
import { useProductNames } from '../purchases/use-bought.js';
import { recordsWithoutEvents, type TimelineRecord } from './records-without-events.js';
import { TimelineEntry } from './timeline-entry.js';
import { type NoteItem, TimelineNote } from './timeline-note.js';
import { TimelineRecordEntry } from './timeline-record-entry.js';
import type { EventKind } from './describe-event.js';

const kindLabels = {
  notes: 'Notes',
  payments: 'Payments and refunds',
  problems: 'Expirations and problems',
  changes: 'Grants and changes',
  identity: 'Identity',
  other: 'Everything else',
} satisfies Record<EventKind | 'notes', string>;

const timelineLabels = { production: 'Production', sandbox: 'Sandbox' };

const route = getRouteApi('/signed-in/projects/$projectId/customer');

/** Reads the timeline's data other than events. Empty until it is loaded, or if the person may not read it. */
function useHistory(projectId: string, id: string, events: readonly TimelineEvent[] | undefined) {
  const mayTransactions = useMay('listTransactions').allowed;
  const mayExplain = useMay('explainCustomerAccess').allowed;
  const { data: explanation } = useQuery({ ...explanationQuery(projectId, id), enabled: mayExplain });
  const { data: summaries } = useSummary(projectId, id);
  const sources = explanation?.entitlements.flatMap((one) => one.sources) ?? [];
  const { subscriptions = [], purchases = [] } = summaries?.items[0] ?? {};
  // If some purchases have no opening event, payments contain information that events lack.
  const isSilent = events && subscriptions.length + purchases.length > events.filter(isOpening).length;
  const { data: transactions = [] } = useQuery({
    ...customerTransactionsQuery(projectId, id),
    enabled: mayTransactions && isSilent === true,
  });
  const nameOf = useProductNames();
  const withName = <T extends { product_identifier: string | null }>(row: T): T => ({
    ...row,
    product_identifier: row.product_identifier && nameOf(row.product_identifier),
  });
  return { transactions: transactions.map(withName), sources, subscriptions: subscriptions.map(withName) };
}

const noNotes: readonly NoteItem[] = [];

/** The notes of the team, which are read only if there are some. Empty until they are loaded. */
function useNotes(projectId: string, id: string): readonly NoteItem[] {
  const count = useSummary(projectId, id).data?.items[0]?.note_count ?? 0;
  const { data } = useQuery({
    ...notesQuery(projectId, id),
    enabled: count > 0,
    select: (notes) => notes.map((note) => ({ id: note.id, occurred_at: note.created_at, note })),
  });
  return count > 0 && data ? data : noNotes;
}

const isOpening = ({ type }: TimelineEvent) =>
  type === 'INITIAL_PURCHASE' || type === 'NON_RENEWING_PURCHASE';

/** The customer's history, newest first, in plain language. */
export function Timeline() {
  const { projectId, id, open } = useCustomer();
  const { kind, events: environment } = route.useSearch();
  const navigate = route.useNavigate();
  const format = useFormat();
  const options = timelineQuery(projectId, id, environment);
  const query = useInfiniteQuery(options);
  const history = useHistory(projectId, id, query.data && itemsOf(query.data));
  const notes = useNotes(projectId, id);
  const mayNote = useMay('createCustomerNote');
  const now = useNow();
  const when = (ms: number) => formatDate(format, ms);
  const isWanted = ({ type, body }: TimelineEvent) =>
    kind === undefined || describeEvent(type, body, when).kind === kind;
  const isWantedRecord = (record: TimelineRecord) =>
    (kind === undefined || record.kind === kind) &&
    (environment === undefined || record.environment === null || record.environment === environment);
  const change = (search: { kind?: string; events?: string }) =>
    void navigate({
      search: (before) => ({ ...before, ...search }) as typeof before,
      replace: true,
      resetScroll: false,
    });
  const add = (
    <Button
      size="sm"
      icon="plus"
      disabledReason={mayNote.reason}
      onClick={() => open({ kind: 'note', note: null })}
    >
      Add note
    </Button>
  );
  const filters = (
    <div className="grid grid-cols-[minmax(0,4fr)_minmax(0,5fr)] gap-2 border-b border-line px-4 py-2">
      <SelectField
        size="sm"
        labelHidden
        label="Kind of event"
        value={kind ?? ''}
        placeholder="All events"
        options={[...eventKinds, 'notes' as const].map((value) => ({ value, label: kindLabels[value] }))}
        onChange={({ target }) => change({ kind: target.value || undefined })}
      />
      <SelectField
        size="sm"
        labelHidden
        label="Environment"
        value={environment ?? ''}
        placeholder="Both environments"
        options={(['production', 'sandbox'] as const).map((value) => ({
          value,
          label: timelineLabels[value],
        }))}
        onChange={({ target }) => change({ events: target.value || undefined })}
      />
    </div>
  );
  return (
    <Panel title="Timeline" padded={false} actions={add}>
      {filters}
      <QueryPanel query={query} queryKey={options.queryKey} stale>
        {(data) => {
          const loaded = itemsOf(data);
          const known = { ...history, events: loaded, hasOlderEvents: query.hasNextPage };
          const oldestMs = query.hasNextPage ? (loaded.at(-1)?.occurred_at ?? 0) : 0;
          const isWantedNote = ({ occurred_at: at }: NoteItem) =>
            (kind === undefined || kind === 'notes') && environment === undefined && at >= oldestMs;
          const records = [
            ...recordsWithoutEvents(known, now).filter(isWantedRecord),
            ...notes.filter(isWantedNote),
          ].sort((a, b) => b.occurred_at - a.occurred_at);
          const days = daysOfEvents(loaded.filter(isWanted), ({ occurred_at: at }) => when(at), records);
          return (
            <div
              role="region"
              aria-label="Events, newest first"
              tabIndex={0}
              className="overflow-y-auto outline-offset-[-2px]! lg:max-h-[34rem]"
            >
              {days.length === 0 &&
                (kind === undefined && environment === undefined ? (
                  <EmptyState sentence="Nothing has happened yet: events appear when this customer buys." />
                ) : (
                  <EmptyState
                    sentence="None of the loaded events match."
                    action={
                      <Button onClick={() => change({ kind: undefined, events: undefined })}>
                        Show all events
                      </Button>
                    }
                  />
                ))}
              {days.map(({ day, items }) => (
                <section key={`${day} ${items[0]?.id}`} aria-label={day}>
                  <h3 className="sticky top-0 z-1 bg-panel px-4 pt-3 pb-1 text-sm font-medium text-muted">
                    {day}
                  </h3>
                  <ul>
                    {items.map((item) =>
                      'body' in item ? (
                        <TimelineEntry key={item.id} event={item} />
                      ) : 'note' in item ? (
                        <TimelineNote key={item.id} note={item.note} />
                      ) : (
                        <TimelineRecordEntry key={item.id} record={item} />
                      ),
                    )}
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
                    Load older events
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
