import { Page } from '../frame/page.js';

export default function TestClockPage() {
  return <Page title="Test clock">{null}</Page>;
}
