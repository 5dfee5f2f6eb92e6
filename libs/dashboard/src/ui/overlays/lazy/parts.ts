/** All floating components, in one chunk. */
export { MenuPopup } from './menu-popup.js';
export { ModalDialog } from './modal-dialog.js';
export { Toaster, toasts } from './toaster.js';
export { TooltipLayer } from './tooltip-layer.js';
