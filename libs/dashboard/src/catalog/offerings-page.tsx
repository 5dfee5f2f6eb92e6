import { Page } from '../frame/page.js';

export default function OfferingsPage() {
  return <Page title="Offerings">{null}</Page>;
}
