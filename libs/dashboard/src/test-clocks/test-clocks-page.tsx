import { Page } from '../frame/page.js';

export default function TestClocksPage() {
  return <Page title="Test clocks">{null}</Page>;
}
