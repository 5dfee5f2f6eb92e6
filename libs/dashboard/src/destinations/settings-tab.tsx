import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../api/permissions.js';
import { ShowCall } from '../frame/api-calls/show-call.js';
import { ConfirmCall } from '../frame/forms/confirm-call.js';
import { useDirtyForm } from '../frame/forms/dirty-forms.js';
import { Button } from '../ui/button.js';
import { FormActions, FormError } from '../ui/forms/form.js';
import { useToast } from '../ui/overlays/toast.js';
import { Panel } from '../ui/panel.js';
import { visibleText } from '../ui/text/visible-text.js';
import type { Destination, DestinationState, DestinationType } from './destinations.queries.js';
import { useDeleteDestination, useUpdateDestination } from './destinations.writes.js';
import { changes, type DestinationForm, formOf } from './form/destination-form.js';
import { DestinationFields } from './form/destination-fields.js';
import { SentPanel } from './form/sent-panel.js';
import { useDestinationForm } from './form/use-destination-form.js';

interface SettingsTabProps {
  projectId: string;
  destination: Destination;
  type: DestinationType;
  state: DestinationState | undefined;
}

/** The settings of a destination, what it sends, and its deletion. */
export function SettingsTab(props: SettingsTabProps) {
  const { projectId, destination, type, state } = props;
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,2fr)_minmax(16rem,1fr)]">
      <div className="flex min-w-0 flex-col gap-5">
        {/* A saved destination starts a new form, with its secrets set. */}
        <SettingsForm
          key={JSON.stringify(destination)}
          projectId={projectId}
          destination={destination}
          type={type}
        />
        <DeletePanel projectId={projectId} destination={destination} type={type} state={state} />
      </div>
      <SentPanel type={type} />
    </div>
  );
}

function SettingsForm({ projectId, destination, type }: Omit<SettingsTabProps, 'state'>) {
  const toast = useToast();
  const may = useMay('updateDestination');
  const update = useUpdateDestination(projectId, destination.id);
  const before = formOf(type, destination);
  const { form, hasMoved } = useDestinationForm({
    type,
    stored: destination,
    write: update,
    onSubmit: (values) => {
      if (!may.allowed) return;
      update.mutate(changes(type, values, before), {
        onSuccess: () => toast({ title: 'Changes saved', tone: 'good' }),
      });
    },
  });
  useDirtyForm(form.isDirty, update.isPending);
  return (
    <Panel>
      <form {...form.formProps} className="flex flex-col gap-4">
        <fieldset disabled={!may.allowed} className="flex min-w-0 flex-col gap-4">
          <DestinationFields
            projectId={projectId}
            type={type}
            form={form}
            isNew={false}
            secretsSet={destination.secrets_set}
            isMoved={hasMoved}
            disabled={!may.allowed}
          />
        </fieldset>
        {type.id === 'mixpanel' && (
          <p className="text-sm text-muted">
            Mixpanel counts an event again if its name or distinct id has changed. Do not replay events from
            before such a change.
          </p>
        )}
        <FormError error={form.problem} />
        <FormActions>
          <Button type="submit" variant="primary" busy={update.isPending} disabledReason={may.reason}>
            Save changes
          </Button>
        </FormActions>
        <ShowCall
          operation="POST /v2/projects/{project_id}/integrations/destinations/{destination_id}"
          path={{ project_id: projectId, destination_id: destination.id }}
          body={shownChanges(type, form.values, before)}
        />
      </form>
    </Panel>
  );
}

/** The body of the call; nothing while the JSON of a setting is being typed. */
function shownChanges(type: DestinationType, values: DestinationForm, before: DestinationForm) {
  try {
    return changes(type, values, before);
  } catch {
    return {};
  }
}

function DeletePanel({ projectId, destination, type, state }: SettingsTabProps) {
  const navigate = useNavigate();
  const may = useMay('deleteDestination');
  const [isAsking, setIsAsking] = useState(false);
  const remove = useDeleteDestination(projectId, destination.id);
  const unsent = (state?.pending ?? 0) + (state?.waiting ?? 0);
  const deliveries = unsent === 1 ? '1 delivery that has' : `${unsent.toLocaleString()} deliveries that have`;
  return (
    <Panel title="Delete" description={`Nothing more is sent to ${type.name}.`}>
      <Button variant="danger" icon="trash" disabledReason={may.reason} onClick={() => setIsAsking(true)}>
        Delete destination
      </Button>
      {isAsking && (
        <ConfirmCall
          danger
          title={`Delete ${visibleText(destination.name)}?`}
          effect={`${deliveries} not been sent ${unsent === 1 ? 'is' : 'are'} dropped. Events already in ${type.name} stay there.`}
          confirmLabel="Delete destination"
          write={remove}
          input={undefined}
          done="Destination deleted"
          call={{
            operation: 'DELETE /v2/projects/{project_id}/integrations/destinations/{destination_id}',
            path: { project_id: projectId, destination_id: destination.id },
          }}
          onClose={() => setIsAsking(false)}
          onDone={() => navigate({ to: '/projects/$projectId/integrations', params: { projectId } })}
        />
      )}
    </Panel>
  );
}
