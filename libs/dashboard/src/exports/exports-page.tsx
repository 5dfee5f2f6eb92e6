import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { IntegrationsPage } from '../frame/pages/integrations-page.js';
import { Button } from '../ui/button.js';
import { Tabs } from '../ui/tabs.js';
import { DestinationDialog } from './destinations/destination-dialog.js';
import { DestinationsList } from './destinations/destinations-list.js';
import { DownloadDialog } from './download/download-dialog.js';
import { ExportsList } from './exports-list.js';
import { destinationsQuery, exportList } from './exports.queries.js';
import { ExportDialog } from './form/export-dialog.js';
import { useExportReason } from './use-may-export.js';

const route = getRouteApi('/signed-in/projects/$projectId/integrations/exports');

type Opened = { dialog: 'destination' | 'download' } | { dialog: 'export'; destinationId?: string };

/** Files that are delivered on a schedule, their destinations, and downloads. */
export default function ExportsPage() {
  const { projectId } = route.useParams();
  const { tab = 'exports' } = route.useSearch();
  const navigate = route.useNavigate();
  const [open, setOpen] = useState<Opened | null>(null);
  const close = () => setOpen(null);
  const reasons = {
    destination: useExportReason('createExportDestination'),
    export: useExportReason('createExport'),
    download: useExportReason('downloadExportDataset'),
  };
  const exports = useInfiniteQuery(exportList(projectId));
  const destinations = useQuery(destinationsQuery(projectId));
  const hasExports = (exports.data?.pages[0]?.items.length ?? 0) > 0;
  const hasDestinations = (destinations.data?.length ?? 0) > 0;
  const openExport = (exportId: string) =>
    void navigate({
      to: '/projects/$projectId/integrations/exports/$exportId',
      params: { projectId, exportId },
    });
  const addDestination = (
    <Button
      variant="primary"
      icon="plus"
      disabledReason={reasons.destination}
      onClick={() => setOpen({ dialog: 'destination' })}
    >
      Add destination
    </Button>
  );
  const newExport = (
    <Button
      variant="primary"
      icon="plus"
      disabledReason={reasons.export}
      onClick={() => setOpen({ dialog: 'export' })}
    >
      New export
    </Button>
  );
  const first = hasDestinations ? newExport : addDestination;
  return (
    <IntegrationsPage
      tab="Exports"
      actions={
        <>
          <Button
            icon="download"
            disabledReason={reasons.download}
            onClick={() => setOpen({ dialog: 'download' })}
          >
            Download data
          </Button>
          {tab === 'exports' && hasExports && newExport}
          {tab === 'destinations' && hasDestinations && addDestination}
        </>
      }
    >
      <p className="text-muted">Deliver your data to a bucket or server on a schedule, or download it now.</p>
      <div>
        <Tabs
          label="Exports and their destinations"
          value={tab}
          onChange={(next) =>
            void navigate({ search: { tab: next === 'exports' ? undefined : next }, replace: true })
          }
          tabs={[
            { id: 'exports', label: 'Exports' },
            { id: 'destinations', label: 'Destinations' },
          ]}
        >
          {tab === 'exports' && <ExportsList projectId={projectId} add={first} />}
          {tab === 'destinations' && <DestinationsList projectId={projectId} add={addDestination} />}
        </Tabs>
      </div>
      {open?.dialog === 'destination' && (
        <DestinationDialog
          projectId={projectId}
          stored={null}
          onClose={close}
          // The first destination is followed by what to send to it.
          onDone={({ id }) => {
            if (!hasExports && tab === 'exports') setOpen({ dialog: 'export', destinationId: id });
          }}
        />
      )}
      {open?.dialog === 'export' && (
        <ExportDialog
          projectId={projectId}
          found={null}
          destinationId={open.destinationId}
          onClose={close}
          onCreated={({ id }) => openExport(id)}
        />
      )}
      {open?.dialog === 'download' && <DownloadDialog projectId={projectId} onClose={close} />}
    </IntegrationsPage>
  );
}
