import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { Button } from '../../ui/button.js';
import { useToast } from '../../ui/overlays/toast.js';
import type { ExportDestination } from '../exports.queries.js';
import { useExportReason } from '../use-may-export.js';
import { ConnectionTest } from './connection-test.js';
import { DestinationFields } from './destination-fields.js';
import {
  bodyOf,
  changes,
  type DestinationForm,
  draftOf,
  formOf,
  hasSecret,
  isMoved,
} from './destination-form.js';
import { problemsOf } from './destination-problems.js';
import { useSaveDestination, useTestDestination } from './destinations.writes.js';

interface DestinationDialogProps {
  projectId: string;
  /** Null for a new destination. */
  stored: ExportDestination | null;
  onClose: () => void;
  onDone?: (destination: ExportDestination) => void;
}

/** The settings of a destination, which can be tested before they are saved. */
export function DestinationDialog({ projectId, stored, onClose, onDone }: DestinationDialogProps) {
  const toast = useToast();
  const mayTest = useExportReason('testExportDestinationSettings');
  const save = useSaveDestination(projectId);
  const test = useTestDestination(projectId);
  const before = formOf(stored);
  const hasMoved = (values: DestinationForm) => stored !== null && isMoved(values, before);
  const form = useForm<DestinationForm>({
    initial: before,
    check: (values) => problemsOf(values, { needsSecret: stored === null || hasMoved(values) }),
    write: { error: save.error ?? test.error, isPending: save.isPending },
    onSubmit: (values) => {
      test.reset();
      save.mutate(
        stored === null
          ? { id: null, creation: bodyOf(values) }
          : { id: stored.id, changes: changes(values, before) },
        {
          onSuccess: (destination) => {
            toast({ title: stored === null ? 'Destination added' : 'Changes saved', tone: 'good' });
            onClose();
            onDone?.(destination);
          },
        },
      );
    },
  });
  const { values } = form;
  const isChanged = JSON.stringify(draftOf(values)) !== JSON.stringify(draftOf(before));
  // A stored secret is tested only at the place that it was entered for.
  const subject =
    hasSecret(values) || stored === null ? { draft: draftOf(values) } : isChanged ? null : { id: stored.id };
  const runTest = (tested: NonNullable<typeof subject>) => {
    save.reset();
    test.mutate(tested);
  };
  const trust = (hostKey: string) => {
    form.set('sftp.host_key', hostKey);
    const trusted = { ...values, sftp: { ...values.sftp, host_key: hostKey } };
    if (stored === null || hasSecret(values)) runTest({ draft: draftOf(trusted) });
  };
  // The result of other settings is not shown.
  const result = JSON.stringify(test.variables) === JSON.stringify(subject) ? test.data : undefined;
  const path = { project_id: projectId };
  return (
    <FormDialog
      title={stored === null ? 'Add destination' : 'Edit destination'}
      form={form}
      submit={stored === null ? 'Add destination' : 'Save changes'}
      size="lg"
      call={
        stored === null
          ? {
              operation: 'POST /v2/projects/{project_id}/integrations/exports/destinations',
              path,
              body: bodyOf(values),
            }
          : {
              operation:
                'POST /v2/projects/{project_id}/integrations/exports/destinations/{export_destination_id}',
              path: { ...path, export_destination_id: stored.id },
              body: changes(values, before),
            }
      }
      onClose={onClose}
    >
      <DestinationFields form={form} stored={stored} isMoved={hasMoved(values)} />
      <div className="flex min-w-0 flex-col items-start gap-3">
        <Button
          icon="bolt"
          busy={test.isPending}
          disabledReason={
            mayTest ?? (subject === null ? 'Save the changes to test them, or enter the secret again.' : null)
          }
          onClick={() => subject && runTest(subject)}
        >
          Test connection
        </Button>
        {result && <ConnectionTest kind={values.kind} result={result} trust={{ onTrust: trust }} />}
      </div>
    </FormDialog>
  );
}
