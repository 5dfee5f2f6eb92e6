import { type ReactNode } from 'react';
import { DataText } from './data-text.js';
import { Icon } from '../icons.js';

/** Whether an address from data may become a link. */
const isWebAddress = (href: string) => /^https?:\/\//i.test(href) && URL.canParse(href);

/** A link to another site. An address other than http(s) is shown as text. */
export function ExternalLink({ href, children }: { href: string; children?: ReactNode }) {
  if (!isWebAddress(href)) return <DataText>{href}</DataText>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className="break-words">
      {children ?? <DataText>{href}</DataText>}
      <Icon name="external" className="ms-1 inline size-3.5! align-[-2px]" />
    </a>
  );
}
