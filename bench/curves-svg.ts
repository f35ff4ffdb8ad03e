/** One figure over the size of a run. */
export interface Curve {
  readonly title: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
  /** What the figure is to stay below, or above. */
  readonly limit?: number;
}

const [width, height, margin] = [300, 180, 36];

/** Small charts side by side: sizes on a logarithmic axis, the figure from zero. */
export function curvesSvg(curves: readonly Curve[]): string {
  const charts = curves.map((curve, index) => `<g transform="translate(${index * width} 0)">${chart(curve)}</g>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${curves.length * width} ${height}" font-family="sans-serif" font-size="11" role="img">
<title>${curves.map(({ title }) => escaped(title)).join(', ')}</title>
<rect width="100%" height="100%" fill="#fff"/>
${charts.join('\n')}
</svg>
`;
}

function chart({ title, points, limit }: Curve): string {
  const xs = points.map(({ x }) => Math.log10(x));
  const [low, high] = [Math.min(...xs), Math.max(...xs)];
  const top = Math.max(...points.map(({ y }) => y), limit ?? 0) * 1.15 || 1;
  const across = (x: number) => margin + ((Math.log10(x) - low) / (high - low || 1)) * (width - 2 * margin);
  const up = (y: number) => height - margin - (y / top) * (height - 2 * margin);
  const placed = points.map(({ x, y }) => ({ x, y, left: across(x).toFixed(1), top: up(y).toFixed(1) }));
  return [
    `<text x="${margin}" y="18" font-weight="bold">${escaped(title)}</text>`,
    `<path d="M${margin} ${height - margin}H${width - margin}" stroke="#888"/>`,
    limit === undefined
      ? ''
      : `<path d="M${margin} ${up(limit).toFixed(1)}H${width - margin}" stroke="#c33" stroke-dasharray="4 3"/>`,
    `<polyline points="${placed.map((one) => `${one.left},${one.top}`).join(' ')}" fill="none" stroke="#246" stroke-width="2"/>`,
    ...placed.map(
      ({ x, y, left, top: at }) =>
        `<circle cx="${left}" cy="${at}" r="3" fill="#246"/><text x="${left}" y="${Number(at) - 7}" text-anchor="middle">${short(y)}</text><text x="${left}" y="${height - margin + 14}" text-anchor="middle" fill="#666">${x.toLocaleString('en')}</text>`,
    ),
  ].join('');
}

function short(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(2);
}

function escaped(text: string): string {
  return text.replace(/[&<]/g, (one) => (one === '&' ? '&amp;' : '&lt;'));
}
