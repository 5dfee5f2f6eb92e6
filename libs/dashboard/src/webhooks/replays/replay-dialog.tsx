import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { RadioCards } from '../../ui/forms/choice.js';
import { useToast } from '../../ui/overlays/toast.js';
import { watchReplay } from '../../frame/deliveries/replay-job.js';
import { rangeOf, type ReplayForm } from '../../frame/deliveries/replay-period.js';
import { ReplayPeriodFields } from '../../frame/deliveries/replay-period-fields.js';
import { TypeChoice } from '../../frame/deliveries/type-choice.js';
import { failingSince } from '../../frame/deliveries/delivery-counts.js';
import {
  failedOfReplay,
  getReplay,
  type Integration,
  newestDeliveriesQuery,
  webhooksKey,
} from '../webhooks.queries.js';
import { useReplay } from '../webhooks.writes.js';

interface ReplayDialogProps {
  projectId: string;
  integration: Integration;
  /** When the webhook was paused, for a replay of missed events. */
  pausedAt?: number | null;
  onClose: () => void;
}

/** Resends the events of a period. */
export function ReplayDialog({ projectId, integration, pausedAt = null, onClose }: ReplayDialogProps) {
  const toast = useToast();
  const queries = useQueryClient();
  const newest = useQuery(newestDeliveriesQuery(projectId, integration.id));
  // Fixed when the dialog opens, so that the displayed period is the one that is sent.
  const [now] = useState(Date.now);
  const failing = failingSince(newest.data ?? []);
  const replay = useReplay(projectId, integration.id, (answer) => {
    onClose();
    if (answer.queued === 0)
      toast({ title: 'Nothing to send again', description: 'No events in this period match.' });
    else
      watchReplay(
        {
          name: integration.name,
          replay: answer,
          read: (signal) => getReplay(projectId, answer, signal),
          readFailed: (signal) => failedOfReplay(projectId, answer, signal),
        },
        () => void queries.invalidateQueries({ queryKey: webhooksKey(projectId) }),
      );
  });
  const known = { failing, paused: pausedAt, now };
  const form = useForm<ReplayForm>({
    initial: {
      period: pausedAt === null ? 'hour' : 'paused',
      from: null,
      to: null,
      status: pausedAt === null ? 'failed' : 'all',
      event_types: null,
    },
    check: (values) => ({
      from: rangeOf(values, known) === null ? 'Choose a start.' : null,
      event_types: values.event_types?.length === 0 ? 'Choose at least one type.' : null,
    }),
    write: replay,
    onSubmit: (values) => replay.mutate(bodyOf(values)),
  });
  const range = rangeOf(form.values, known);
  const bodyOf = (values: ReplayForm) => ({
    ...(rangeOf(values, known) ?? { from: 0, to: 0 }),
    status: values.status,
    event_types: values.event_types ?? [],
  });
  const inRange = newest.data?.filter(({ created_at: at }) => range && at >= range.from && at < range.to);
  return (
    <FormDialog
      title="Replay events"
      description="Your backend gets the same event ids again, with the header X-Service-Webhook-Replay. One replay holds at most 10,000 events."
      form={form}
      submit="Start replay"
      call={{
        operation: 'POST /v2/projects/{project_id}/webhooks/{webhook_integration_id}/actions/replay',
        path: { project_id: projectId, webhook_integration_id: integration.id },
        body: bodyOf(form.values),
      }}
      onClose={onClose}
    >
      <ReplayPeriodFields form={form} failingSince={failing} pausedAt={pausedAt} />
      <RadioCards
        label="What to send"
        columns={2}
        {...form.control('status')}
        options={[
          { value: 'failed', label: 'Only failed deliveries', hint: 'Deliveries that ran out of retries.' },
          {
            value: 'all',
            label: 'Every event',
            hint: 'Also what was delivered before, and what was recorded while the webhook was paused.',
          },
        ]}
      />
      {inRange && inRange.length > 0 && (
        <p className="text-muted">
          {`Of the newest ${inRange.length === 1 ? 'delivery' : `${inRange.length} deliveries`} in this period, ${inRange.filter((delivery) => delivery.status === 'failed').length} failed permanently.`}
        </p>
      )}
      <TypeChoice
        label="Types"
        allLabel="All types"
        allHint="Every type that the webhook receives"
        {...form.control('event_types')}
      />
    </FormDialog>
  );
}
