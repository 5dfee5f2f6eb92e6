import { Page } from '../frame/page.js';

export default function OverviewPage() {
  return <Page title="Overview">{null}</Page>;
}
