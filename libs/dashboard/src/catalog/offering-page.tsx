import { Page } from '../frame/page.js';

export default function OfferingPage() {
  return <Page title="Offering">{null}</Page>;
}
