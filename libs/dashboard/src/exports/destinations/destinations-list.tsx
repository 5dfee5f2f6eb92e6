import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { docsOf } from '../../api/docs-link.js';
import { ConfirmCall } from '../../frame/forms/confirm-call.js';
import { Time } from '../../ui/format/time.js';
import { QueryList } from '../../ui/lists/query-list.js';
import { Menu } from '../../ui/overlays/menu.js';
import { Panel } from '../../ui/panel.js';
import { DataText } from '../../ui/text/data-text.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { destinationList, type ExportDestination } from '../exports.queries.js';
import { useExportReason } from '../use-may-export.js';
import { DestinationDialog } from './destination-dialog.js';
import { kindLabels, placeOf } from './destination-kinds.js';
import { useDeleteDestination } from './destinations.writes.js';
import { TestDialog } from './test-dialog.js';

interface DestinationsListProps {
  projectId: string;
  /** A button that adds the first one. */
  add: React.ReactNode;
}

type Opened = { action: 'edit' | 'test' | 'delete'; destination: ExportDestination };

/** Places that exports deliver files to. */
export function DestinationsList({ projectId, add }: DestinationsListProps) {
  const [open, setOpen] = useState<Opened | null>(null);
  const close = () => setOpen(null);
  const query = destinationList(projectId);
  const list = useInfiniteQuery(query);
  const reasons = {
    test: useExportReason('testExportDestination'),
    edit: useExportReason('updateExportDestination'),
    delete: useExportReason('deleteExportDestination'),
  };
  return (
    <>
      <Panel padded={false}>
        <QueryList
          label="Destinations of exports"
          query={list}
          queryKey={query.queryKey}
          things="destinations"
          empty={{
            sentence: 'No destinations yet. Add the bucket or server that files go to.',
            action: add,
            docs: docsOf('Exports'),
          }}
          rowKey={({ id }) => id}
          columns={[
            {
              id: 'name',
              header: 'Name',
              cell: ({ name }) => <DataText truncate>{name}</DataText>,
              priority: 1,
            },
            { id: 'kind', header: 'Kind', cell: ({ kind }) => kindLabels[kind], priority: 2 },
            {
              id: 'place',
              header: 'Place',
              cell: (destination) => (
                <DataText mono truncate>
                  {placeOf(destination)}
                </DataText>
              ),
              width: 'minmax(0, 1.6fr)',
              priority: 2,
            },
            {
              id: 'updated',
              header: 'Changed',
              cell: ({ updated_at: updated }) => <Time ms={updated} />,
              width: '9rem',
              priority: 3,
            },
            {
              id: 'actions',
              header: <span className="sr-only">Actions</span>,
              width: '3rem',
              align: 'end',
              priority: 1,
              cell: (destination) => (
                <Menu
                  iconOnly
                  size="sm"
                  variant="ghost"
                  label={`Actions for ${visibleText(destination.name)}`}
                  items={[
                    {
                      label: 'Test connection',
                      icon: 'bolt',
                      disabledReason: reasons.test,
                      onSelect: () => setOpen({ action: 'test', destination }),
                    },
                    {
                      label: 'Edit',
                      icon: 'edit',
                      disabledReason: reasons.edit,
                      onSelect: () => setOpen({ action: 'edit', destination }),
                    },
                    {
                      label: 'Delete',
                      icon: 'trash',
                      danger: true,
                      separator: true,
                      disabledReason: reasons.delete,
                      onSelect: () => setOpen({ action: 'delete', destination }),
                    },
                  ]}
                />
              ),
            },
          ]}
        />
      </Panel>
      {open?.action === 'edit' && (
        <DestinationDialog projectId={projectId} stored={open.destination} onClose={close} />
      )}
      {open?.action === 'test' && (
        <TestDialog projectId={projectId} destination={open.destination} onClose={close} />
      )}
      {open?.action === 'delete' && (
        <DeleteDialog projectId={projectId} destination={open.destination} onClose={close} />
      )}
    </>
  );
}

interface DialogProps {
  projectId: string;
  destination: ExportDestination;
  onClose: () => void;
}

function DeleteDialog({ projectId, destination: { id, name }, onClose }: DialogProps) {
  const remove = useDeleteDestination(projectId, id);
  return (
    <ConfirmCall
      danger
      title={`Delete ${visibleText(name)}?`}
      effect="Its credentials are deleted. Files that were delivered stay where they are."
      confirmLabel="Delete destination"
      write={remove}
      input={undefined}
      done="Destination deleted"
      call={{
        operation:
          'DELETE /v2/projects/{project_id}/integrations/exports/destinations/{export_destination_id}',
        path: { project_id: projectId, export_destination_id: id },
      }}
      onClose={onClose}
    />
  );
}
