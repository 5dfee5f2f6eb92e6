import { Icon } from '../../../ui/icons.js';
import { serverPath } from './server-path.js';

/** An icon in the text's color; decorative. Icons of other servers are not loaded. */
export function IconPicture({ address }: { address: string }) {
  const path = serverPath(address);
  if (path === null) return <Icon name="external" className="text-muted" />;
  return (
    <span
      aria-hidden="true"
      className="size-6 shrink-0 bg-current"
      style={{ mask: `url("${path}") center / contain no-repeat` }}
    />
  );
}
