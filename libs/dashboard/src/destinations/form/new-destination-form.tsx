import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../api/permissions.js';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { useDirtyForm } from '../../frame/forms/dirty-forms.js';
import { Button } from '../../ui/button.js';
import { FormActions, FormError } from '../../ui/forms/form.js';
import type { Destination, DestinationType } from '../destinations.queries.js';
import { useSaveDestination, useTestDestination, useUpdateDestination } from '../destinations.writes.js';
import { TestResult } from '../test-result.js';
import { changes, creation, type DestinationForm, formOf } from './destination-form.js';
import { DestinationFields } from './destination-fields.js';
import { useDestinationForm } from './use-destination-form.js';

interface NewDestinationFormProps {
  projectId: string;
  type: DestinationType;
}

/** Saves a destination paused, tests it, and turns it on. */
export function NewDestinationForm({ projectId, type }: NewDestinationFormProps) {
  const navigate = useNavigate();
  const may = useMay('createDestination');
  const [saved, setSaved] = useState<{ destination: Destination; values: DestinationForm } | null>(null);
  const save = useSaveDestination(projectId);
  const test = useTestDestination(projectId);
  const turnOn = useUpdateDestination(projectId, saved?.destination.id ?? '');
  const { form } = useDestinationForm({
    type,
    stored: null,
    write: { error: save.error ?? test.error, isPending: save.isPending || test.isPending },
    onSubmit: (values) => {
      if (!may.allowed) return;
      const body = saved
        ? { id: saved.destination.id, changes: changes(type, values, formOf(type, saved.destination)) }
        : { id: null, creation: creation(type, values) };
      test.reset();
      save.mutate(body, {
        onSuccess: (destination) => {
          setSaved({ destination, values });
          test.mutate(destination.id);
        },
      });
    },
  });
  const isSaved = saved !== null && JSON.stringify(form.values) === JSON.stringify(saved.values);
  useDirtyForm(form.isDirty && !isSaved, form.isPending);
  const finish = () =>
    void navigate({
      to: '/projects/$projectId/integrations/$destinationId',
      params: { projectId, destinationId: saved?.destination.id ?? '' },
    });
  return (
    <form {...form.formProps} className="flex flex-col gap-4">
      <fieldset disabled={!may.allowed} className="flex min-w-0 flex-col gap-4">
        <DestinationFields
          projectId={projectId}
          type={type}
          form={form}
          isNew
          secretsSet={[]}
          isMoved={false}
          disabled={!may.allowed}
        />
      </fieldset>
      <FormError error={form.problem ?? turnOn.error?.message} />
      {isSaved && test.data && <TestResult tool={type.name} result={test.data} />}
      {isSaved && !test.isPending && <p>Saved. Nothing is sent until you turn it on.</p>}
      <FormActions>
        {isSaved && !test.isPending && (
          <Button
            variant="primary"
            busy={turnOn.isPending}
            onClick={() => turnOn.mutate({ enabled: true }, { onSuccess: finish })}
          >
            {test.data?.delivered ? 'Turn on' : 'Turn on anyway'}
          </Button>
        )}
        <Button
          type="submit"
          variant={isSaved ? undefined : 'primary'}
          busy={form.isPending}
          disabledReason={may.allowed ? null : 'You need permission to change integrations.'}
        >
          Save and test
        </Button>
      </FormActions>
      <ShowCall
        operation="POST /v2/projects/{project_id}/integrations/destinations"
        path={{ project_id: projectId }}
        body={shownBody(type, form.values)}
      />
    </form>
  );
}

/** The body of the call; while the JSON of a setting is being typed, without the settings. */
function shownBody(type: DestinationType, values: DestinationForm) {
  try {
    return creation(type, values);
  } catch {
    return { type: type.id };
  }
}
