import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../api/permissions.js';
import { Page } from '../../frame/pages/page.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { CodeBlock } from '../../ui/text/code-block.js';
import { DataText } from '../../ui/text/data-text.js';
import { EmptyState } from '../../ui/loading/empty-state.js';
import { Menu } from '../../ui/overlays/menu.js';
import { Panel } from '../../ui/panel.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { AddPackageDialog } from './add-package-dialog.js';
import { isArchived } from '../catalog.types.js';
import { OfferingPaywall } from '../paywalls/list/offering-paywall.js';
import { MetadataDialog } from './metadata-dialog.js';
import { type OfferingAction, OfferingDialogs } from './offering-dialogs.js';
import { offeringQuery } from './offerings.queries.js';
import { PackageList } from './package-list.js';
import { SdkPreview } from './sdk-preview.js';
import { useOfferingItems } from './use-offering-items.js';

const route = getRouteApi('/signed-in/projects/$projectId/catalog/offerings/$offeringId');

export default function OfferingPage() {
  const { projectId, offeringId } = route.useParams();
  const { app } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(offeringQuery(projectId, offeringId));
  const mayUpdate = useMay('updateOffering');
  const mayAdd = useMay('createPackage');
  const [open, setOpen] = useState<OfferingAction | 'package' | 'metadata' | null>(null);
  const itemsFor = useOfferingItems(setOpen);
  const close = () => setOpen(null);
  const offering = query.data;
  const add = (
    <Button icon="plus" disabledReason={mayAdd.reason} onClick={() => setOpen('package')}>
      Add package
    </Button>
  );
  return (
    <Page
      title={offering ? visibleText(offering.display_name) : 'Offering'}
      id={offeringId}
      badges={
        offering && (
          <>
            {offering.is_current && <Badge tone="good">Current</Badge>}
            {isArchived(offering) && <Badge>Archived</Badge>}
          </>
        )
      }
      note={!query.isError && <>Lookup key {offering && <DataText mono>{offering.lookup_key}</DataText>}</>}
      actions={offering && <Menu label="Actions" items={itemsFor(offering)} />}
    >
      <QueryPanel query={query} queryKey={offeringQuery(projectId, offeringId).queryKey}>
        {(shown) => (
          <div className="grid gap-4">
            <Panel title="Packages" description="SDKs show them in this order." actions={add} padded={false}>
              {shown.packages?.items.length ? (
                <PackageList projectId={projectId} offering={shown} />
              ) : (
                <EmptyState sentence="This offering has no packages yet, so there is nothing to buy." />
              )}
            </Panel>
            <OfferingPaywall projectId={projectId} offering={shown} />
            <Panel
              title="Metadata"
              description="A JSON object that SDKs get with the offering."
              actions={
                <Button icon="edit" disabledReason={mayUpdate.reason} onClick={() => setOpen('metadata')}>
                  Edit metadata
                </Button>
              }
            >
              {shown.metadata === null ? (
                <p className="text-muted">No metadata.</p>
              ) : (
                <CodeBlock label="Metadata" code={JSON.stringify(shown.metadata, null, 2)} copy />
              )}
            </Panel>
            <SdkPreview
              projectId={projectId}
              offering={shown}
              appId={app}
              onApp={(id) => void navigate({ search: { app: id }, replace: true })}
            />
          </div>
        )}
      </QueryPanel>
      {offering && open === 'package' && <AddPackageDialog {...{ projectId, offering }} onClose={close} />}
      {offering && open === 'metadata' && <MetadataDialog {...{ projectId, offering }} onClose={close} />}
      {offering && open !== null && open !== 'package' && open !== 'metadata' && (
        <OfferingDialogs
          {...{ projectId, offering, action: open }}
          onClose={close}
          onDeleted={() => navigate({ to: '/projects/$projectId/catalog/offerings', params: { projectId } })}
        />
      )}
    </Page>
  );
}
