import { useLayoutEffect, useRef, useState } from 'react';
import { PaywallPreview } from '../preview/paywall-preview.js';
import type { View } from './bar/view-controls.js';
import { useDesign } from './design-context.js';
import { devices } from './devices.js';
import { usePaywallDocument } from './paywall-editor-context.js';

/** Returns the current size of an element. */
function useSize() {
  const box = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [box, size] as const;
}

/** Frame around the screen, in pixels. */
const FRAME = 10;

/** The paywall on a phone, as large as the column allows. */
export function PhoneColumn({ view }: { view: View }) {
  const { document, locale } = usePaywallDocument();
  const { settings, packages } = useDesign();
  const [box, size] = useSize();
  const { width, height } = devices[view.device];
  const scale = Math.min(1, (size.width - 2 * FRAME) / width, (size.height - 2 * FRAME) / height);
  return (
    <section aria-label="Preview" className="flex min-h-0 min-w-0 flex-col gap-2 p-3">
      <div ref={box} className="flex min-h-0 grow items-start justify-center overflow-hidden">
        {scale > 0 && (
          <div
            className="overflow-hidden rounded-[1.75rem] border-[10px] border-edge bg-panel"
            style={{ width: width * scale + 2 * FRAME, height: height * scale + 2 * FRAME }}
          >
            <div style={{ width, height, transform: `scale(${scale})`, transformOrigin: '0 0' }}>
              <PaywallPreview
                document={document}
                uiConfig={settings}
                packages={packages}
                locale={locale}
                dark={view.isDark}
              />
            </div>
          </div>
        )}
      </div>
      <p className="text-center text-xs text-muted">
        This is the web renderer. Phones use their own fonts and controls, and show buttons that restore
        purchases.
      </p>
    </section>
  );
}
