import { hexScheme, isHex, schemeOf } from './color-scheme.js';

describe('color schemes', () => {
  it.each([
    { light: '#ffffff', dark: null },
    { light: '#ffffff', dark: '#00000080' },
  ])('keeps %j', (scheme) => {
    expect(hexScheme(schemeOf(scheme))).toEqual(scheme);
  });

  it('has no colors of gradients', () => {
    const gradient = { type: 'linear', degrees: 90, points: [] };
    expect(hexScheme({ light: gradient })).toBeNull();
    expect(hexScheme({ light: { type: 'hex', value: '#ffffff' }, dark: gradient })).toBeNull();
  });

  it('reads six or eight digits', () => {
    expect(['#12aBcd', '#12aBcd80', '#123', 'red', '12aBcd'].map(isHex)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
