import { type ReactNode, useState } from 'react';
import { useMay } from '../../../api/permissions.js';
import { ConfirmCall } from '../../../frame/forms/confirm-call.js';
import { Button } from '../../../ui/button.js';
import { type Column, DataList } from '../../../ui/lists/data-list.js';
import { EmptyState } from '../../../ui/loading/empty-state.js';
import { Panel } from '../../../ui/panel.js';
import { DataText } from '../../../ui/text/data-text.js';
import { visibleText } from '../../../ui/text/visible-text.js';
import { actionsColumn } from '../../columns.js';
import type { PaywallSettings } from '../paywall.types.js';
import { useUpdatePaywallSettings } from '../paywalls.queries.js';
import { type SettingsField, withoutSetting } from './setting-names.js';

interface SettingsPanelProps<Value> {
  projectId: string;
  settings: PaywallSettings;
  field: SettingsField;
  title: string;
  description: string;
  /** Label of the button that adds one. */
  add: string;
  columns: Column<[string, Value]>[];
  /** Why a value cannot be edited here. */
  notEditable?: (value: Value) => string | null;
  /** The dialog that adds a setting, or edits the one with this name. */
  dialog: (name: string | null, onClose: () => void) => ReactNode;
}

/** One list of shared settings, which are added, edited and removed one by one. */
export function SettingsPanel<Value>(props: SettingsPanelProps<Value>) {
  const { projectId, settings, field, title, description, add, columns, notEditable, dialog } = props;
  const may = useMay('updatePaywallSettings');
  const [edited, setEdited] = useState<{ name: string | null } | null>(null);
  const [removed, setRemoved] = useState<string | null>(null);
  const rows = Object.entries(settings[field]) as [string, Value][];
  const all: Column<[string, Value]>[] = [
    {
      id: 'name',
      header: 'Name',
      priority: 1,
      cell: ([name]) => (
        <DataText mono truncate>
          {name}
        </DataText>
      ),
    },
    ...columns,
    actionsColumn(
      ([name]) => name,
      ([name, value]) => [
        {
          label: 'Edit',
          icon: 'edit',
          disabledReason: may.reason ?? notEditable?.(value) ?? null,
          onSelect: () => setEdited({ name }),
        },
        {
          label: 'Remove',
          icon: 'trash',
          danger: true,
          disabledReason: may.reason,
          onSelect: () => setRemoved(name),
        },
      ],
    ),
  ];
  return (
    <Panel
      title={title}
      description={description}
      padded={false}
      actions={
        <Button icon="plus" disabledReason={may.reason} onClick={() => setEdited({ name: null })}>
          {add}
        </Button>
      }
    >
      {rows.length === 0 ? (
        <EmptyState sentence={`No ${title.toLowerCase()} yet.`} />
      ) : (
        <DataList label={title} rows={rows} columns={all} rowKey={([name]) => name} />
      )}
      {edited && dialog(edited.name, () => setEdited(null))}
      {removed !== null && (
        <RemoveSettingDialog
          {...{ projectId, settings, field }}
          name={removed}
          onClose={() => setRemoved(null)}
        />
      )}
    </Panel>
  );
}

interface RemoveSettingDialogProps {
  projectId: string;
  settings: PaywallSettings;
  field: SettingsField;
  name: string;
  onClose: () => void;
}

function RemoveSettingDialog({ projectId, settings, field, name, onClose }: RemoveSettingDialogProps) {
  const update = useUpdatePaywallSettings(projectId);
  const body = withoutSetting(settings, field, name);
  return (
    <ConfirmCall
      danger
      title={`Remove ${visibleText(name)}?`}
      effect="It can be removed only if no paywall names it."
      confirmLabel="Remove"
      write={update}
      input={body}
      done={`Removed ${visibleText(name)}`}
      call={{
        operation: 'POST /v2/projects/{project_id}/paywall_settings',
        path: { project_id: projectId },
        body,
      }}
      onClose={onClose}
    />
  );
}
