import { useOverlays } from './overlays.js';
import { type ModalDialogProps } from './lazy/modal-dialog.js';

/** A modal dialog. The parent controls `open`. Focus moves to the first field, and returns on closing. */
export function Dialog(props: ModalDialogProps) {
  const overlays = useOverlays(props.open);
  return overlays && <overlays.ModalDialog {...props} />;
}
