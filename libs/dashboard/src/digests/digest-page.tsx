import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Page } from '../frame/pages/page.js';
import { Badge } from '../ui/badge.js';
import { Time } from '../ui/format/time.js';
import { QueryPanel } from '../ui/loading/query-panel.js';
import { Panel } from '../ui/panel.js';
import { DataText } from '../ui/text/data-text.js';
import { visibleText } from '../ui/text/visible-text.js';
import { DigestActions } from './digest-actions.js';
import { DigestSettings } from './digest-settings.js';
import { digestQuery, previewQuery } from './digests.queries.js';
import { scheduleText } from './labels.js';

const route = getRouteApi('/signed-in/projects/$projectId/integrations/digests/$digestId');

/** One digest: its text with present figures, and its settings. */
export default function DigestPage() {
  const { projectId, digestId } = route.useParams();
  const query = digestQuery(projectId, digestId);
  const digest = useQuery(query);
  const { data } = digest;
  return (
    <Page
      title={data ? visibleText(data.name) : 'Digest'}
      id={digestId}
      badges={data && !data.enabled && <Badge icon="pause">Off</Badge>}
      actions={data && <DigestActions projectId={projectId} digest={data} />}
    >
      {data ? (
        <>
          <p className="text-muted md:-mt-5">
            {scheduleText(data)}.{' '}
            {data.enabled && (
              <>
                Next: <Time ms={data.next_at} />.{' '}
              </>
            )}
            Last sent: <Time ms={data.last_sent_at} none="never" />.
          </p>
          <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,2fr)_minmax(20rem,1fr)]">
            <div className="flex min-w-0 flex-col gap-5">
              <DigestSettings key={JSON.stringify(data)} projectId={projectId} digest={data} />
            </div>
            {/* Beside or after the settings, which its figures do not move when they arrive. */}
            <PreviewPanel projectId={projectId} digestId={digestId} />
          </div>
        </>
      ) : (
        <Panel>
          <QueryPanel query={digest} queryKey={query.queryKey}>
            {() => null}
          </QueryPanel>
        </Panel>
      )}
    </Page>
  );
}

function PreviewPanel({ projectId, digestId }: { projectId: string; digestId: string }) {
  const query = previewQuery(projectId, digestId);
  const preview = useQuery(query);
  return (
    <Panel title="Preview" description="With the figures of the last complete period.">
      <QueryPanel query={preview} queryKey={query.queryKey}>
        {({ heading, lines, is_empty: isEmpty }) => (
          <div className="flex flex-col gap-2">
            <p className="font-semibold">
              <DataText>{heading}</DataText>
            </p>
            <ul className="flex flex-col gap-0.5 tabular-nums">
              {lines.map((line) => (
                <li key={line}>
                  <DataText>{line}</DataText>
                </li>
              ))}
            </ul>
            {isEmpty && <p className="text-sm text-muted">There is nothing to report in this period.</p>}
          </div>
        )}
      </QueryPanel>
    </Panel>
  );
}
