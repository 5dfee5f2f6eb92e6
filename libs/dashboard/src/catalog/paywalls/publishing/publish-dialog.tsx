import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ShowCall } from '../../../frame/api-calls/show-call.js';
import { Button } from '../../../ui/button.js';
import { useFormat, useNow } from '../../../ui/format/format-context.js';
import { formatNumber } from '../../../ui/format/format-number.js';
import { FormError } from '../../../ui/forms/form.js';
import { Icon } from '../../../ui/icons.js';
import { Dialog } from '../../../ui/overlays/dialog.js';
import { useToast } from '../../../ui/overlays/toast.js';
import { ProblemList } from '../editor/bar/problem-list.js';
import { usePaywallDocument } from '../editor/paywall-editor-context.js';
import { paywallIconsQuery } from '../media/icons.queries.js';
import { usePublishPaywall } from '../paywalls.queries.js';
import { recentViewersQuery } from './recent-viewers.queries.js';

interface PublishDialogProps {
  /** Revision of the saved draft. */
  revision: number;
  onClose: () => void;
}

/** Publishes the draft, or says what prevents it. */
export function PublishDialog({ revision, onClose }: PublishDialogProps) {
  const { projectId, paywall, problems } = usePaywallDocument();
  const publish = usePublishPaywall(projectId, paywall.id);
  const toast = useToast();
  const navigate = useNavigate();
  const errors = problems.filter(({ severity }) => severity === 'error');
  const warnings = problems.filter(({ severity }) => severity === 'warning');
  const isBlocked = errors.length > 0;
  const openOffering = () =>
    void navigate({
      to: '/projects/$projectId/catalog/offerings/$offeringId',
      params: { projectId, offeringId: paywall.offering_id },
    });
  const submit = () =>
    publish.mutate(
      { revision },
      {
        onSuccess: () => {
          toast({
            title: 'Published.',
            tone: 'good',
            action: { label: 'Open the offering', onClick: openOffering },
          });
          onClose();
        },
      },
    );
  return (
    <Dialog
      open
      onClose={() => !publish.isPending && onClose()}
      title="Publish paywall"
      footer={
        <>
          <Button onClick={onClose} disabled={publish.isPending}>
            {isBlocked ? 'Close' : 'Cancel'}
          </Button>
          {!isBlocked && (
            <Button variant="primary" busy={publish.isPending} onClick={submit}>
              Publish
            </Button>
          )}
        </>
      }
    >
      <div className="grid grid-cols-1 gap-3">
        <FormError error={publish.error?.message} />
        {isBlocked ? (
          <>
            <p>This paywall cannot be published yet.</p>
            <ProblemList problems={errors} onOpen={onClose} />
          </>
        ) : (
          <>
            <Effect />
            <UnreachableAddress />
            {warnings.length > 0 && (
              <>
                <p className="text-muted">Look at these first, or publish anyway:</p>
                <ProblemList problems={warnings} onOpen={onClose} />
              </>
            )}
            <ShowCall
              operation="POST /v2/projects/{project_id}/paywalls/{paywall_id}/actions/publish"
              path={{ project_id: projectId, paywall_id: paywall.id }}
              body={{ revision }}
            />
          </>
        )}
      </div>
    </Dialog>
  );
}

function Effect() {
  const { projectId, paywall } = usePaywallDocument();
  const { locale } = useFormat();
  const now = useNow();
  const isPublished = paywall.published_at !== null;
  const { data: viewers = 0 } = useQuery({
    ...recentViewersQuery(projectId, paywall.id, now),
    enabled: isPublished,
  });
  const customers = viewers === 1 ? '1 customer' : `${formatNumber(locale, viewers)} customers`;
  return (
    <p>
      Apps get it at their next start.
      {viewers > 0 && ` ${customers} saw this paywall for the first time in the last 7 days.`}
    </p>
  );
}

const localHost = /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Warns before the first paywall is published, which the check of the set-up does not. */
function UnreachableAddress() {
  const { data } = useQuery(paywallIconsQuery);
  const address = data && URL.parse(data.base_url);
  if (!address || !localHost.test(address.hostname)) return null;
  return (
    <p className="flex gap-2 text-warn">
      <Icon name="warning" className="mt-0.5" />
      <span className="min-w-0 break-words">
        {`Phones cannot load paywalls and images from ${address.origin}. Set SERVICE_PUBLIC_URL.`}
      </span>
    </p>
  );
}
