import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { docsOf } from '../../../api/docs-link.js';
import { useMay } from '../../../api/permissions.js';
import { Page } from '../../../frame/pages/page.js';
import { Button } from '../../../ui/button.js';
import { DataList } from '../../../ui/lists/data-list.js';
import { EmptyState } from '../../../ui/loading/empty-state.js';
import { QueryPanel } from '../../../ui/loading/query-panel.js';
import { SkeletonRows } from '../../../ui/loading/skeleton.js';
import { Panel } from '../../../ui/panel.js';
import type { Paywall } from '../paywall.types.js';
import { allPaywallsQuery } from '../paywalls.queries.js';
import { NewPaywallDialog } from './new-paywall-dialog.js';
import { DeletePaywallDialog, UnpublishPaywallDialog } from './paywall-dialogs.js';
import { usePaywallColumns } from './use-paywall-columns.js';
import { type PaywallAction, usePaywallItems } from './use-paywall-items.js';

const route = getRouteApi('/signed-in/projects/$projectId/catalog/paywalls');

export default function PaywallsPage() {
  const { projectId } = route.useParams();
  const navigate = route.useNavigate();
  const query = allPaywallsQuery(projectId);
  const paywalls = useQuery(query);
  const mayCreate = useMay('createPaywall');
  const [open, setOpen] = useState<'new' | { action: PaywallAction; paywall: Paywall } | null>(null);
  const close = () => setOpen(null);
  const openEditor = (paywallId: string) =>
    void navigate({
      to: '/projects/$projectId/catalog/paywalls/$paywallId',
      params: { projectId, paywallId },
    });
  const itemsFor = usePaywallItems((action, paywall) =>
    action === 'open' ? openEditor(paywall.id) : setOpen({ action, paywall }),
  );
  const columns = usePaywallColumns(projectId, itemsFor);
  const create = (
    <Button variant="primary" icon="plus" disabledReason={mayCreate.reason} onClick={() => setOpen('new')}>
      New paywall
    </Button>
  );
  const { action, paywall } = open === 'new' || open === null ? {} : open;
  return (
    <Page title="Paywalls" note="Screens that sell your offerings, in every language." actions={create}>
      <Panel padded={false}>
        <QueryPanel query={paywalls} queryKey={query.queryKey} skeleton={<SkeletonRows />}>
          {(rows) =>
            rows.length === 0 ? (
              <EmptyState
                sentence={
                  <>
                    <strong className="block text-fg">No paywalls yet</strong>A paywall is the screen that
                    sells an offering. Design it here; your app shows it without an update.
                  </>
                }
                action={create}
                docs={docsOf('Paywalls')}
              />
            ) : (
              <DataList
                label="Paywalls"
                rows={rows}
                columns={columns}
                rowKey={({ id }) => id}
                rowHref={({ id }) => `/projects/${projectId}/catalog/paywalls/${id}`}
              />
            )
          }
        </QueryPanel>
      </Panel>
      {(open === 'new' || action === 'duplicate') && (
        <NewPaywallDialog projectId={projectId} source={paywall} onClose={close} onCreated={openEditor} />
      )}
      {paywall && action === 'unpublish' && <UnpublishPaywallDialog paywall={paywall} onClose={close} />}
      {paywall && action === 'delete' && <DeletePaywallDialog paywall={paywall} onClose={close} />}
    </Page>
  );
}
