import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const lucide = join(root, 'node_modules/lucide-static');
const namesFile = join(root, 'libs/paywalls/icons/icon-names.json');
/** Pixels: large enough for an icon of 64 points on a phone with three pixels a point. */
const SIDE = 192;

export const hasIconSources = () => existsSync(lucide);

/** Draws the icons of paywalls in the formats that SDKs read, with their license beside them. */
export async function drawPaywallIcons(folder) {
  const { default: sharp } = await import('sharp');
  copyFileSync(join(lucide, 'LICENSE'), join(folder, 'LICENSE'));
  for (const name of JSON.parse(readFileSync(namesFile, 'utf8'))) {
    const svg = readFileSync(join(lucide, `icons/${name}.svg`));
    writeFileSync(join(folder, `${name}.svg`), svg);
    // SDKs use the shape alone and give it the color of the component.
    const image = sharp(svg, { density: (72 * SIDE) / 24 }).resize(SIDE, SIDE);
    await image
      .clone()
      .png({ compressionLevel: 9 })
      .toFile(join(folder, `${name}.png`));
    await image
      .clone()
      .webp({ lossless: true })
      .toFile(join(folder, `${name}.webp`));
  }
}
