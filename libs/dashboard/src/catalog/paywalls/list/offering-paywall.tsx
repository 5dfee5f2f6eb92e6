import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../../api/permissions.js';
import { Button } from '../../../ui/button.js';
import { buttonClass } from '../../../ui/button-class.js';
import { cx } from '../../../ui/cx.js';
import { QueryPanel } from '../../../ui/loading/query-panel.js';
import { Skeleton } from '../../../ui/loading/skeleton.js';
import { Panel } from '../../../ui/panel.js';
import { DataText } from '../../../ui/text/data-text.js';
import { isArchived, type Offering } from '../../catalog.types.js';
import { offeringPaywallQuery } from '../paywalls.queries.js';
import { NewPaywallDialog } from './new-paywall-dialog.js';
import { PaywallProblems, PaywallStatus } from './paywall-status.js';

/** The paywall of an offering, or a button that creates one. */
export function OfferingPaywall({ projectId, offering }: { projectId: string; offering: Offering }) {
  const query = offeringPaywallQuery(projectId, offering.id);
  const paywall = useQuery(query);
  const navigate = useNavigate();
  const mayCreate = useMay('createPaywall');
  const [isCreating, setIsCreating] = useState(false);
  return (
    <Panel title="Paywall" description="The screen that sells this offering.">
      <QueryPanel
        query={paywall}
        queryKey={query.queryKey}
        skeleton={<Skeleton lines={1} className="min-h-8 content-center" />}
      >
        {(shown) =>
          shown ? (
            <div className="flex flex-wrap items-center gap-2">
              <DataText className="font-medium">{shown.name}</DataText>
              <PaywallStatus paywall={shown} />
              <PaywallProblems paywall={shown} />
              <Link
                to="/projects/$projectId/catalog/paywalls/$paywallId"
                params={{ projectId, paywallId: shown.id }}
                className={cx(buttonClass(), 'ms-auto')}
              >
                Open
              </Link>
            </div>
          ) : (
            <div className="flex flex-wrap items-center justify-between gap-2">
              <p className="text-muted">Apps show their own default screen.</p>
              <Button
                icon="plus"
                disabledReason={
                  mayCreate.reason ?? (isArchived(offering) ? 'The offering is archived.' : null)
                }
                onClick={() => setIsCreating(true)}
              >
                Create a paywall
              </Button>
            </div>
          )
        }
      </QueryPanel>
      {isCreating && (
        <NewPaywallDialog
          projectId={projectId}
          offeringId={offering.id}
          onClose={() => setIsCreating(false)}
          onCreated={(paywallId) =>
            void navigate({
              to: '/projects/$projectId/catalog/paywalls/$paywallId',
              params: { projectId, paywallId },
            })
          }
        />
      )}
    </Panel>
  );
}
