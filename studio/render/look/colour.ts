/** A colour as it is seen: lightness 0..1, chroma 0..0.37, hue in degrees (Björn Ottosson's Oklab in polar form). */
export interface Oklch {
  readonly lightness: number;
  readonly chroma: number;
  readonly hue: number;
}

export type Rgb = readonly [red: number, green: number, blue: number];

/** `#rrggbb`. A colour that screens cannot show keeps its lightness and hue and loses chroma until they can. */
export function toHex(colour: Oklch): string {
  let { chroma } = colour;
  let rgb = toLinear({ ...colour, chroma });
  for (let step = 0; step < 24 && !shown(rgb); step++) {
    chroma *= 0.9;
    rgb = toLinear({ ...colour, chroma });
  }
  return `#${rgb.map((value) => toByte(value).toString(16).padStart(2, '0')).join('')}`;
}

export function fromRgb([red, green, blue]: Rgb): Oklch {
  const [r, g, b] = [red, green, blue].map(fromByte) as [number, number, number]; // three in, three out
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    chroma: Math.hypot(a, bb),
    hue: ((Math.atan2(bb, a) * 180) / Math.PI + 360) % 360,
  };
}

/** @param hex `#rrggbb` or `#rgb` */
export function rgbOf(hex: string): Rgb {
  const digits = hex.length === 4 ? [...hex.slice(1)].map((digit) => digit + digit).join('') : hex.slice(1);
  const value = Number.parseInt(digits, 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

/** The same colour, see-through. */
export function withAlpha(hex: string, alpha: number): string {
  const [red, green, blue] = rgbOf(hex);
  return `rgba(${red}, ${green}, ${blue}, ${alpha})`;
}

/** `amount` 0 gives `from`, 1 gives `to`; in between by eye, not by bytes. */
export function mix(from: string, to: string, amount: number): string {
  const [a, b] = [toLab(fromRgb(rgbOf(from))), toLab(fromRgb(rgbOf(to)))];
  const [l, x, y] = a.map((value, index) => value + ((b[index] ?? value) - value) * amount);
  return toHex(fromLab(l ?? 0, x ?? 0, y ?? 0));
}

/** WCAG's contrast of two colours, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

function luminance(hex: string): number {
  const [red, green, blue] = rgbOf(hex);
  return 0.2126 * fromByte(red) + 0.7152 * fromByte(green) + 0.0722 * fromByte(blue);
}

function toLab({ lightness, chroma, hue }: Oklch): readonly [number, number, number] {
  const radians = (hue * Math.PI) / 180;
  return [lightness, chroma * Math.cos(radians), chroma * Math.sin(radians)];
}

function fromLab(lightness: number, a: number, b: number): Oklch {
  return { lightness, chroma: Math.hypot(a, b), hue: ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360 };
}

function toLinear(colour: Oklch): readonly [number, number, number] {
  const [lightness, a, b] = toLab(colour);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

function shown(linear: readonly number[]): boolean {
  return linear.every((value) => value >= -0.0005 && value <= 1.0005);
}

function toByte(linear: number): number {
  const value = Math.min(1, Math.max(0, linear));
  return Math.round(255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055));
}

function fromByte(byte: number): number {
  const value = byte / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
