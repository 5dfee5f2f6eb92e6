import { CSPProvider } from '@base-ui/react/csp-provider';
import { Toast as Base } from '@base-ui/react/toast';
import { buttonClass, IconButton } from '../../button.js';
import { Icon, type IconName } from '../../icons.js';
import { useKeys } from '../../keys.js';
import { type Tone } from '../../tone.js';

/** The toasts of this tab. */
export const toasts = Base.createToastManager<{ tone: Tone }>();

const icons: Partial<Record<Tone, [IconName, string]>> = {
  good: ['success', 'text-good'],
  warn: ['warning', 'text-warn'],
  bad: ['error', 'text-bad'],
};

function Toasts() {
  const manager = Base.useToastManager<{ tone: Tone }>();
  const shown = manager.toasts.filter(({ transitionStatus }) => transitionStatus !== 'ending');
  useKeys({ Escape: () => toasts.close(shown[0]?.id) }, shown.length > 0);
  return manager.toasts.map((toast) => {
    const [icon, color] = icons[toast.data?.tone ?? 'neutral'] ?? [];
    return (
      <Base.Root
        key={toast.id}
        toast={toast}
        swipeDirection={['right', 'down']}
        // The library hides an urgent toast from screen readers until it is focused, although Tab reaches its buttons.
        aria-hidden={false}
        className="pointer-events-auto w-fit max-w-full self-end rounded-md border border-line bg-panel text-fg shadow-overlay transition-opacity duration-150 data-ending-style:opacity-0 data-limited:hidden data-starting-style:opacity-0"
      >
        <Base.Content className="flex items-start gap-2.5 py-2 ps-3.5 pe-2">
          {icon && <Icon name={icon} className={`mt-1.5 ${color}`} />}
          <div className="min-w-0 flex-1 py-1 break-words">
            <Base.Title className="font-medium" />
            <Base.Description className="text-sm text-muted" />
          </div>
          {toast.actionProps && <Base.Action className={buttonClass({ size: 'sm' })} />}
          <Base.Close render={<IconButton label="Close" icon="x" size="sm" />} />
        </Base.Content>
      </Base.Root>
    );
  });
}

/** The corner where toasts appear. */
export function Toaster() {
  return (
    <CSPProvider disableStyleElements>
      <Base.Provider toastManager={toasts} limit={4}>
        <Base.Portal>
          {/* In a narrow window, dialogs and their buttons are at the bottom. */}
          <Base.Viewport className="pointer-events-none fixed inset-x-3 top-[calc(var(--bar-height,0px)+0.5rem)] z-60 ms-auto flex flex-col gap-2 outline-none sm:top-auto sm:bottom-3 sm:max-w-96">
            <Toasts />
          </Base.Viewport>
        </Base.Portal>
      </Base.Provider>
    </CSPProvider>
  );
}
