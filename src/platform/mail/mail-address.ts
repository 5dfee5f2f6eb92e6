export interface MailAddress {
  name: string;
  address: string;
}

/** Parses `Name <you@example.com>` or `you@example.com`, the format of the settings. */
export function parsedAddress(text: string): MailAddress {
  const [, name = '', address = text] = /^(.*) <(.+)>$/.exec(text) ?? [];
  return { name: name.replaceAll('"', '').trim(), address };
}
