/** Properties of a request for offerings. Unknown values are null. */
export interface TargetingRequest {
  appUserId: string;
  appId: string;
  /** ISO 3166 alpha-2, upper case. */
  country: string | null;
  /** Lower case. */
  platform: string | null;
  appVersion: string | null;
  /** The SDK that the app is built with: `ios`, `react-native`. */
  sdkFlavor: string | null;
  sdkVersion: string | null;
  /** The customer's attributes that are used in conditions. */
  attributes: ReadonlyMap<string, string>;
}

export const noAttributes: ReadonlyMap<string, string> = new Map();

export const platforms = [
  'amazon',
  'android',
  'ios',
  'macos',
  'roku',
  'tvos',
  'visionos',
  'watchos',
  'web',
] as const;

const applePlatforms = new Set(['ios', 'macos', 'tvos', 'visionos', 'watchos']);
const ownFlavors = new Map([
  ['android', 'android'],
  ['amazon', 'android'],
  ['web', 'web'],
  ['roku', 'roku'],
]);

export function platformOf(header: string | null): string | null {
  const name = header?.toLowerCase() ?? null;
  return name === 'uikitformac' ? 'macos' : name;
}

export interface SdkHeaders {
  platform: string | null;
  version: string | null;
  flavor: string | null;
  flavorVersion: string | null;
}

/** A hybrid SDK is identified by its own version, not by that of the native SDK inside. */
export function sdkOf({ platform, version, flavor, flavorVersion }: SdkHeaders): {
  sdkFlavor: string | null;
  sdkVersion: string | null;
} {
  const wrapped = flavor?.toLowerCase() ?? 'native';
  if (wrapped !== 'native') return { sdkFlavor: flavorOf(wrapped), sdkVersion: flavorVersion };
  const name = platformOf(platform) ?? '';
  const sdkFlavor = applePlatforms.has(name) ? 'ios' : (ownFlavors.get(name) ?? null);
  return { sdkFlavor, sdkVersion: version };
}

const repositories = new Map([
  ['purchases-ios', 'ios'],
  ['purchases-android', 'android'],
  ['purchases-js', 'web'],
  ['purchases-roku', 'roku'],
  ['react-native-purchases', 'react-native'],
  ['purchases-flutter', 'flutter'],
  ['purchases-unity', 'unity'],
  ['purchases-capacitor', 'capacitor'],
  ['cordova-plugin-purchases', 'cordova'],
  ['purchases-kmp', 'kmp'],
]);

/** Returns the short name of an SDK, which may be sent as the name of its repository. */
export function flavorOf(name: string): string {
  const lower = name.toLowerCase();
  return repositories.get(lower) ?? lower;
}
