import { webTag } from '../../../libs/paywalls/index.js';
import {
  compareVersions,
  deviceVersion,
  parseVersion,
  platformOf,
  type Version,
} from '../../../libs/targeting/index.js';

/**
 * How offerings carry their paywalls. `named`: SDKs only learn that there is one, and read it from remote configuration.
 * `whole`: with its components. `web`: with further locales, because the web SDK compares them with the language of the
 * browser.
 */
export type PaywallForm =
  | { kind: 'named' }
  | { kind: 'whole' }
  | { kind: 'web'; /** Language of the browser, if answers may differ for it. */ tag: string | null };

export interface FormHeaders {
  platform: string | undefined;
  /** Version of the native SDK, also inside a hybrid one. */
  sdkVersion: string | undefined;
  acceptLanguage: string | undefined;
}

function versionOf(text: string): Version {
  const version = parseVersion(text);
  if (version === null) throw new Error(`${text} is no version`);
  return version;
}

const firstApple = versionOf('5.86.0');
const firstAndroid = versionOf('10.17.0');

/** First versions that read paywalls from remote configuration only. */
const firstWithRemoteConfig: ReadonlyMap<string, Version> = new Map([
  ...['ios', 'macos', 'tvos', 'watchos', 'visionos'].map((name) => [name, firstApple] as const),
  ...['android', 'amazon'].map((name) => [name, firstAndroid] as const),
]);

const named: PaywallForm = { kind: 'named' };
const whole: PaywallForm = { kind: 'whole' };

/** Unknown platforms and versions get the components: SDKs that do not read them ignore them. */
export function paywallFormFor({ platform, sdkVersion, acceptLanguage }: FormHeaders): PaywallForm {
  const name = platformOf(platform ?? null) ?? '';
  if (name === 'web') return { kind: 'web', tag: webTag(acceptLanguage) };
  // Roku has no paywalls.
  if (name === 'roku') return named;
  const first = firstWithRemoteConfig.get(name);
  const version = deviceVersion(sdkVersion ?? null);
  return first && version && compareVersions(version, first) >= 0 ? named : whole;
}
