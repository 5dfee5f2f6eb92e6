/* Parsers of settings. Each throws an Error whose message states the expected value. */

export function text(maxLength = 2000): (value: string) => string {
  return (value) => {
    if (value.length > maxLength) throw new Error(`must be at most ${maxLength} characters`);
    return value;
  };
}

export function integer(min: number, max: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (!/^-?\d+$/.test(value) || number < min || number > max) {
      throw new Error(`must be a whole number from ${min} to ${max}`);
    }
    return number;
  };
}

export function boolean(value: string): boolean {
  if (value === 'true' || value === '1') return true;
  if (value === 'false' || value === '0') return false;
  throw new Error('must be true or false');
}

export function oneOf<const T extends string>(...values: T[]): (value: string) => T {
  return (value) => {
    const found = values.find((candidate) => candidate === value);
    if (found === undefined) throw new Error(`must be one of ${values.join(', ')}`);
    return found;
  };
}

export function httpUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw new Error('must be an http or https URL');
  if (url.pathname !== '/' || url.search || url.hash) throw new Error('must have no path, query or fragment');
  return url.origin;
}

/** Origins of web sites, separated by commas. */
export function origins(value: string): string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => httpUrl(part));
}

export function callableUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw new Error('must be an http or https URL');
  return value;
}

export function postgresUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (!url || !['postgres:', 'postgresql:'].includes(url.protocol)) {
    throw new Error('must be a postgres:// or postgresql:// URL');
  }
  return value;
}

export function key32(value: string): Buffer {
  const key = Buffer.from(value, 'base64');
  if (key.length !== 32) throw new Error('must be 32 bytes in base64');
  return key;
}

/** A bearer token, limited to characters that need no escaping in headers and links. */
export function token(value: string): string {
  if (!/^[\w.~+/=-]{16,200}$/.test(value)) {
    throw new Error('must be 16 to 200 letters, digits or characters of -._~+/=');
  }
  return value;
}

export function smtpUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (!url || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '') {
    throw new Error('must be an smtp:// or smtps:// URL');
  }
  return value;
}

/** `you@example.com` or `Name <you@example.com>`. */
export function mailAddress(value: string): string {
  if (!/^(?:[^<>@\r\n]{1,100} <[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/.test(value)) {
    throw new Error('must be an email address, or a name and an address in angle brackets');
  }
  return value;
}
