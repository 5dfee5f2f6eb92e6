import { Page } from '../frame/page.js';

export default function EventsPage() {
  return <Page title="Events">{null}</Page>;
}
