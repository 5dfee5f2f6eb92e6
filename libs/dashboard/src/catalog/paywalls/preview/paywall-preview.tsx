import { Skeleton } from '../../../ui/loading/skeleton.js';
import { DataText } from '../../../ui/text/data-text.js';
import type { Package } from '../../catalog.types.js';
import type { PaywallDocument, PaywallSettings } from '../paywall.types.js';
import { usePreviewContent } from './use-preview-content.js';
import { usePreviewFrame } from './use-preview-frame.js';

export interface PaywallPreviewProps {
  document: PaywallDocument;
  uiConfig: PaywallSettings;
  /** The packages of the paywall's offering, with their products. */
  packages: readonly Package[];
  locale: string;
  dark: boolean;
}

/**
 * The paywall as the stock web SDK renders it, as large as the element around it. The frame has no origin, so neither
 * the SDK nor the document reaches the session of the dashboard.
 */
export function PaywallPreview(props: PaywallPreviewProps) {
  const { frame, isReady, error } = usePreviewFrame(usePreviewContent(props));
  return (
    <div className="relative h-full min-h-96">
      {!isReady && error === null && <Skeleton className="absolute inset-x-6 top-6" />}
      <iframe
        ref={frame}
        src="/paywall-preview"
        sandbox="allow-scripts"
        title="Preview of the paywall"
        className="absolute inset-0 size-full"
      />
      {error !== null && (
        <p role="alert" className="absolute inset-x-0 bottom-0 border-t border-line bg-panel p-4 text-bad">
          <DataText>{error}</DataText>
        </p>
      )}
    </div>
  );
}
