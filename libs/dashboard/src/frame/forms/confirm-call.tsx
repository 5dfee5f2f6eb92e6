import type { UseMutationResult } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import type { CallError } from '../../api/call-error.js';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.js';
import { useToast } from '../../ui/overlays/toast.js';
import { ShowCall } from '../api-calls/show-call.js';

interface ConfirmCallProps<Input> {
  title: ReactNode;
  /** Explains what will happen or be lost. */
  effect: ReactNode;
  confirmLabel: string;
  danger?: boolean;
  /** The result of `useWrite`, and its input. */
  write: Pick<UseMutationResult<unknown, CallError, Input>, 'mutate' | 'isPending' | 'error'>;
  input: Input;
  /** Message after success. */
  done: string;
  call: ComponentProps<typeof ShowCall>;
  onClose: () => void;
  /** Called after success instead of `onClose`. */
  onDone?: () => void;
}

/** Asks for confirmation of a single call, shows the call, and reports success. */
export function ConfirmCall<Input>(props: ConfirmCallProps<Input>) {
  const { title, effect, confirmLabel, danger, write, input, done, call, onClose, onDone = onClose } = props;
  const toast = useToast();
  return (
    <ConfirmDialog
      open
      danger={danger}
      title={title}
      confirmLabel={confirmLabel}
      busy={write.isPending}
      error={write.error?.message}
      onClose={onClose}
      onConfirm={() =>
        write.mutate(input, {
          onSuccess: () => {
            toast({ title: done });
            onDone();
          },
        })
      }
    >
      <div className="grid gap-2">
        {typeof effect === 'string' ? <p>{effect}</p> : effect}
        <ShowCall {...call} />
      </div>
    </ConfirmDialog>
  );
}
