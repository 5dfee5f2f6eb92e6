import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../../api/permissions.js';
import { Button } from '../../ui/button.js';
import { DataText } from '../../ui/text/data-text.js';
import { ErrorPanel } from '../../ui/loading/error-panel.js';
import { type App, savedCheckQuery } from '../apps.queries.js';
import { setupHealthQuery } from '../../frame/health/setup-health.queries.js';
import { RemoveCredentialDialog } from './remove-credential-dialog.js';
import type { SetupStep } from './setup-steps.js';
import { StepDialog } from './step-dialog.js';
import { stepWords } from './step-instructions.js';

function wordsOfEdit({ isCredential, state }: SetupStep): string {
  // The server does not report whether it was entered before.
  if (state.kind === 'unreported') return 'Add';
  if (!isCredential) return 'Change';
  return state.kind === 'todo' ? 'Add' : 'Replace';
}

/** Buttons to enter, replace, check or remove a step's values. */
export function StepActions({ projectId, app, step }: { projectId: string; app: App; step: SetupStep }) {
  const [open, setOpen] = useState<'edit' | 'remove' | null>(null);
  const mayUpdate = useMay('updateApp');
  const mayCheck = useMay('verifyStoreCredentials');
  const check = useQuery(savedCheckQuery(projectId, app.id));
  const queries = useQueryClient();
  const { title } = stepWords[step.id];
  const isSet = step.state.kind !== 'todo';
  const canCheck = step.isCredential && step.isChecked && isSet;
  const hasForm = Object.keys(step.fields).length > 0;
  if (!hasForm) return null;
  const edit = wordsOfEdit(step);
  const close = () => setOpen(null);
  const ask = async () => {
    await check.refetch();
    await queries.invalidateQueries({ queryKey: setupHealthQuery(projectId).queryKey });
  };
  return (
    <>
      {canCheck && check.data?.status === 'unreachable' && (
        <p role="status" className="text-warn">
          <DataText>{`Could not reach the store, so the credentials were not checked: ${check.data.message}`}</DataText>
        </p>
      )}
      {canCheck && check.error && (
        <ErrorPanel error={check.error} onRetry={() => void ask()} retrying={check.isFetching} />
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          size="sm"
          aria-label={`${edit}: ${title}`}
          disabledReason={mayUpdate.reason}
          onClick={() => setOpen('edit')}
        >
          {edit}
        </Button>
        {canCheck && (
          <Button
            size="sm"
            aria-label={`Check: ${title}`}
            busy={check.isFetching}
            disabledReason={mayCheck.reason}
            onClick={() => void ask()}
          >
            Check
          </Button>
        )}
        {step.isCredential && isSet && (
          <Button
            size="sm"
            variant="ghost"
            aria-label={`Remove: ${title}`}
            disabledReason={mayUpdate.reason}
            onClick={() => setOpen('remove')}
          >
            Remove
          </Button>
        )}
      </div>
      {open === 'edit' && <StepDialog projectId={projectId} app={app} step={step} onClose={close} />}
      {open === 'remove' && (
        <RemoveCredentialDialog projectId={projectId} app={app} step={step} onClose={close} />
      )}
    </>
  );
}
