import { Page } from '../frame/page.js';

export default function AppsPage() {
  return <Page title="Apps">{null}</Page>;
}
