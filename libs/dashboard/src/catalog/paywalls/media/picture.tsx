import { Icon } from '../../../ui/icons.js';
import type { ImageFiles } from '../paywall.types.js';
import { serverPath } from './server-path.js';

/** A small picture of an image. Images of other servers are not loaded. */
export function Picture({ files, label }: { files: ImageFiles; label: string }) {
  const path = serverPath(files.webp_low_res);
  return (
    <span className="flex size-full items-center justify-center bg-bg">
      {path === null ? (
        <Icon name="external" label={label} className="text-muted" />
      ) : (
        <img src={path} alt={label} loading="lazy" className="max-h-full max-w-full object-contain" />
      )}
    </span>
  );
}
