let canvas: CanvasRenderingContext2D | null | undefined;

/** Font size of axis labels, in root units. */
const LABEL_REM = 0.75;
const WIDTH_WITHOUT_CANVAS = 48;

/** Returns the width in pixels of the widest text in the small font of charts. */
export function widestText(texts: readonly string[]): number {
  canvas ??= document.createElement('canvas').getContext('2d');
  if (!canvas) return WIDTH_WITHOUT_CANVAS;
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const { fontFamily } = getComputedStyle(document.body);
  canvas.font = `${LABEL_REM * rem}px ${fontFamily}`;
  const measure = canvas;
  return Math.max(0, ...texts.map((text) => measure.measureText(text).width));
}
