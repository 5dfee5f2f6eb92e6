import { PlainPage } from '../frame/plain-page.js';

export default function LoginPage() {
  return <PlainPage title="Sign in">{null}</PlainPage>;
}
