import type { UseMutationResult } from '@tanstack/react-query';
import { type ComponentProps, type ReactNode, useState } from 'react';
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
  /** A name or id that must be typed to confirm. */
  typed?: string;
  /** The result of `useWrite`, and its input. */
  write: Pick<UseMutationResult<unknown, CallError, Input>, 'mutate' | 'isPending' | 'error'>;
  input: Input;
  /** Message after success, unless the page shows the result. */
  done?: string;
  call: ComponentProps<typeof ShowCall>;
  onClose: () => void;
  /** Called after success instead of `onClose`. The message appears when it has finished, so a page can be left first. */
  onDone?: () => void | Promise<void>;
}

/** Asks for confirmation of a single call, shows the call, and reports success. */
export function ConfirmCall<Input>(props: ConfirmCallProps<Input>) {
  const {
    title,
    effect,
    confirmLabel,
    danger,
    typed,
    write,
    input,
    done,
    call,
    onClose,
    onDone = onClose,
  } = props;
  const [isFinishing, setIsFinishing] = useState(false);
  const toast = useToast();
  const finish = async () => {
    setIsFinishing(true);
    await Promise.resolve(onDone());
    setIsFinishing(false);
    if (done !== undefined) toast({ title: done });
  };
  return (
    <ConfirmDialog
      open
      danger={danger}
      title={title}
      typed={typed}
      confirmLabel={confirmLabel}
      busy={write.isPending || isFinishing}
      error={write.error?.message}
      onClose={onClose}
      onConfirm={() => write.mutate(input, { onSuccess: () => void finish() })}
    >
      <div className="grid gap-2">
        {typeof effect === 'string' ? <p>{effect}</p> : effect}
        <ShowCall {...call} />
      </div>
    </ConfirmDialog>
  );
}
