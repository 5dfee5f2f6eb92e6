import { encode } from 'uqr';
import { qrPath } from './qr-path.js';

/** Quiet zone around the code, in modules, which scanners need. */
const QUIET = 4;

/** A QR code, dark on white in both themes, because cameras expect it. */
export function QrCode({ value, label }: { value: string; label: string }) {
  const { data, size } = encode(value, { ecc: 'M', border: 0 });
  const side = size + 2 * QUIET;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`${-QUIET} ${-QUIET} ${side} ${side}`}
      shapeRendering="crispEdges"
      className="size-48 rounded-md border border-line"
    >
      <rect x={-QUIET} y={-QUIET} width={side} height={side} fill="#fff" />
      <path d={qrPath(data)} fill="#000" />
    </svg>
  );
}
