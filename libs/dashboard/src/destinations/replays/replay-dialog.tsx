import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { EventType } from '../../api/event-types.js';
import { failingSince } from '../../frame/deliveries/delivery-counts.js';
import { watchReplay } from '../../frame/deliveries/replay-job.js';
import { rangeOf, type ReplayForm } from '../../frame/deliveries/replay-period.js';
import { ReplayPeriodFields } from '../../frame/deliveries/replay-period-fields.js';
import { TypeChoice } from '../../frame/deliveries/type-choice.js';
import { FormDialog } from '../../frame/forms/form-dialog.js';
import { type Form, useForm } from '../../frame/forms/use-form.js';
import { Checkbox, RadioCards } from '../../ui/forms/choice.js';
import { useToast } from '../../ui/overlays/toast.js';
import { failedOfReplay, newestDeliveriesQuery } from '../deliveries/deliveries.queries.js';
import { type Destination, type DestinationType, destinationsKey } from '../destinations.queries.js';
import { type Replay, useReplay } from '../destinations.writes.js';
import { getReplay } from './replays.queries.js';
import { RepeatWarning } from './repeat-warning.js';

interface DestinationReplay extends ReplayForm {
  resend_delivered: boolean;
}

interface ReplayDialogProps {
  projectId: string;
  destination: Destination;
  type: DestinationType;
  onClose: () => void;
}

/** Sends the events of a period. */
export function ReplayDialog({ projectId, destination, type, onClose }: ReplayDialogProps) {
  const { id: destinationId, name } = destination;
  const toast = useToast();
  const queries = useQueryClient();
  const newest = useQuery(newestDeliveriesQuery(projectId, destinationId));
  // Fixed when the dialog opens, so that the displayed period is the one that is sent.
  const [now] = useState(Date.now);
  const failing = failingSince(newest.data ?? []);
  const known = { failing, paused: null, now };
  const replay = useReplay(projectId, destinationId, (answer) => {
    onClose();
    if (answer.queued === 0) toast({ title: 'Nothing to send', description: noneQueued(answer) });
    else
      watchReplay(
        {
          name,
          replay: answer,
          read: (signal) => getReplay(projectId, answer, signal),
          readFailed: (signal) => failedOfReplay(projectId, destinationId, answer.id, signal),
        },
        () => void queries.invalidateQueries({ queryKey: destinationsKey(projectId) }),
      );
  });
  const form = useForm<DestinationReplay>({
    initial: {
      period: 'hour',
      from: null,
      to: null,
      status: 'failed',
      event_types: null,
      resend_delivered: false,
    },
    check: (values) => ({
      from: rangeOf(values, known) === null ? 'Choose a start.' : null,
      event_types: values.event_types?.length === 0 ? 'Choose at least one type.' : null,
    }),
    write: replay,
    onSubmit: (values) => replay.mutate(bodyOf(values)),
  });
  const range = rangeOf(form.values, known);
  const isRepeating = form.values.status === 'all' && form.values.resend_delivered;
  const bodyOf = (values: DestinationReplay) => ({
    ...(rangeOf(values, known) ?? { from: 0, to: 0 }),
    status: values.status,
    event_types: values.event_types ?? [],
    ...(values.status === 'all' && values.resend_delivered && { resend_delivered: true }),
  });
  return (
    <FormDialog
      title="Replay events"
      description="One replay holds at most 10,000 events. The start of the destination does not apply."
      form={form}
      submit="Start replay"
      danger={isRepeating && !type.capabilities.deduplicates}
      call={{
        operation: 'POST /v2/projects/{project_id}/integrations/destinations/{destination_id}/actions/replay',
        path: { project_id: projectId, destination_id: destinationId },
        body: bodyOf(form.values),
      }}
      onClose={onClose}
    >
      {/* The fields of the period are those of every replay. */}
      <ReplayPeriodFields form={form as unknown as Form<ReplayForm>} failingSince={failing} pausedAt={null} />
      <RadioCards
        label="What to send"
        columns={2}
        {...form.control('status')}
        options={[
          {
            value: 'failed',
            label: 'Failed and skipped deliveries',
            hint: 'Skipped ones are sent if the reason no longer applies.',
          },
          {
            value: 'all',
            label: 'Every event that was not delivered',
            hint: 'Also what happened before the start, or while the destination was paused.',
          },
        ]}
      />
      {form.values.status === 'all' && (
        <Checkbox
          label="Also events that were already delivered"
          hint={type.capabilities.deduplicates ? `${type.name} recognizes repeated events.` : undefined}
          {...form.checkbox('resend_delivered')}
        />
      )}
      {isRepeating && !type.capabilities.deduplicates && range && (
        <RepeatWarning
          projectId={projectId}
          destinationId={destinationId}
          tool={type.name}
          range={range}
          types={form.values.event_types ?? []}
        />
      )}
      <TypeChoice
        label="Types"
        allLabel="All types"
        allHint="Every type that the destination receives"
        offered={offeredTypes(destination)}
        {...form.control('event_types')}
      />
    </FormDialog>
  );
}

/** None for HTTP without a choice, which receives every type. */
const offeredTypes = ({ event_types: types }: Destination): readonly EventType[] | undefined =>
  types.length > 0 ? types : undefined;

const noneQueued = ({ already_delivered: count }: Replay) =>
  count === 0
    ? 'No events in this period match.'
    : `${count === 1 ? '1 event was' : `${count.toLocaleString()} events were`} already delivered.`;
