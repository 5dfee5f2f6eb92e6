import type { UseMutationResult } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import type { CallError } from '../../api/call-error.js';
import { Button } from '../../ui/button.js';
import { FormError } from '../../ui/forms/form.js';
import { SidePanel } from '../../ui/overlays/side-panel.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { ShowCall } from '../api-calls/show-call.js';

interface DeliverySidePanelProps {
  title: string;
  /** The result of `useWrite`. */
  retry: Pick<UseMutationResult<unknown, CallError, void>, 'mutate' | 'isPending' | 'isSuccess' | 'error'>;
  /** Why the delivery cannot be retried. */
  retryReason: string | null;
  /** The call of the retry. */
  call: ComponentProps<typeof ShowCall>;
  onClose: () => void;
  children: ReactNode;
}

/** Panel next to the list of deliveries, with a button that sends the delivery again. */
export function DeliverySidePanel(props: DeliverySidePanelProps) {
  const { title, retry, retryReason, call, onClose, children } = props;
  return (
    <SidePanel
      open
      onClose={onClose}
      title={visibleText(title)}
      actions={
        <Button
          size="sm"
          icon="refresh"
          busy={retry.isPending}
          disabledReason={retryReason}
          onClick={() => retry.mutate()}
        >
          Retry
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <FormError error={retry.error?.message} />
        <p role="status" className="sr-only">
          {retry.isSuccess && 'Sent again'}
        </p>
        {children}
        <ShowCall {...call} />
      </div>
    </SidePanel>
  );
}
