import { PlainPage } from '../frame/plain-page.js';

export default function SignupPage() {
  return <PlainPage title="Sign up">{null}</PlainPage>;
}
