import { useInfiniteQuery } from '@tanstack/react-query';
import { Badge } from '../../../ui/badge.js';
import { Button } from '../../../ui/button.js';
import { Time } from '../../../ui/format/time.js';
import { EmptyState } from '../../../ui/loading/empty-state.js';
import { QueryPanel } from '../../../ui/loading/query-panel.js';
import { Dialog } from '../../../ui/overlays/dialog.js';
import { useToast } from '../../../ui/overlays/toast.js';
import { DataText } from '../../../ui/text/data-text.js';
import { usePaywallDocument } from '../editor/paywall-editor-context.js';
import { documentOf, type PaywallVersion } from '../paywall.types.js';
import { paywallVersionsQuery } from '../paywalls.queries.js';

/** Published versions, newest first. One step of the history takes a version into the draft. */
export function HistoryDialog({ onClose }: { onClose: () => void }) {
  const { projectId, paywall, dispatch, canWrite } = usePaywallDocument();
  const toast = useToast();
  const query = useInfiniteQuery(paywallVersionsQuery(projectId, paywall.id));
  const restore = ({ revision, components }: PaywallVersion) => {
    if (!components) return;
    dispatch({ type: 'set', path: [], value: documentOf(components) });
    toast({ title: `Revision ${revision} is the draft now.` });
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="History"
      description="Published versions. Taking one into the draft changes nothing in apps until you publish."
    >
      <QueryPanel query={query} queryKey={paywallVersionsQuery(projectId, paywall.id).queryKey}>
        {({ pages }) => {
          const versions = pages.flatMap(({ items }) => items);
          if (versions.length === 0) return <EmptyState sentence="This paywall was never published." />;
          return (
            <ul aria-label="Versions" className="divide-y divide-line">
              {versions.map((version) => (
                <li key={version.revision} className="flex flex-wrap items-center justify-between gap-2 py-2">
                  <div className="min-w-0">
                    <p className="flex flex-wrap items-center gap-2 font-medium">
                      <span>{`Revision ${version.revision}`}</span>
                      {version.is_current && <Badge tone="good">Published</Badge>}
                    </p>
                    <p className="text-sm text-muted">
                      published by <DataText>{version.published_by}</DataText>,{' '}
                      <Time ms={version.published_at} show="full" />
                    </p>
                  </div>
                  <Button
                    size="sm"
                    aria-label={`Take into the draft: revision ${version.revision}`}
                    disabledReason={canWrite ? null : 'You may only read this paywall.'}
                    onClick={() => restore(version)}
                  >
                    Take into the draft
                  </Button>
                </li>
              ))}
            </ul>
          );
        }}
      </QueryPanel>
      {query.hasNextPage && (
        <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Show more
        </Button>
      )}
    </Dialog>
  );
}
