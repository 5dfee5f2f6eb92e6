/** Ordered, because most browsers also name those they descend from. */
const browsers: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\b(OPR|Opera)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
  ['curl', /^curl\//],
];
const systems: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
];

const nameIn = (list: typeof browsers, agent: string) => list.find(([, pattern]) => pattern.test(agent))?.[0];

/** Describes a `User-Agent`. Programs other than browsers keep their own name. */
export function clientName(agent: string | null): string {
  if (!agent) return 'Unknown browser';
  const browser = nameIn(browsers, agent);
  if (!browser) return agent.length > 40 ? `${agent.slice(0, 40)}…` : agent;
  const system = nameIn(systems, agent);
  return system ? `${browser} on ${system}` : browser;
}
