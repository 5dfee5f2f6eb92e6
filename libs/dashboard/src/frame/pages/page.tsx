import { BarePage, type BarePageProps } from './bare-page.js';
import { Breadcrumb } from './breadcrumb.js';

/** A page of a project or an organization. */
export function Page(props: Omit<BarePageProps, 'above'>) {
  return <BarePage above={<Breadcrumb />} {...props} />;
}
