import { Page } from '../frame/page.js';

export default function GeneralPage() {
  return <Page title="General">{null}</Page>;
}
