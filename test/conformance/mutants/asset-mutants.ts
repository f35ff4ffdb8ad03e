import { answers, type Breakage, files, type Mutant, problem, responses } from './mutant.js';

type Asset = Record<string, unknown>;

/** The assets list and its files. */
export const assetMutants: readonly Mutant[] = [
  { name: 'lists nothing', clause: 'assets.final', breakage: list(() => []) },
  {
    name: 'lists assets under another name',
    clause: 'assets.list',
    breakage: answers('listAssets', ({ data }) => ({ assets: data })),
  },
  {
    name: 'lists assets without an object around them',
    clause: 'assets.list',
    breakage: answers('listAssets', ({ data }) => data),
  },
  {
    name: 'fails on the list of a movie that is not completed',
    clause: 'assets.any-time',
    breakage: () => async (request, next, operation) => {
      const response = await next(request);
      if (operation !== 'listAssets' || !response.ok) return response;
      const { data } = (await response.clone().json()) as { data: unknown[] };
      return data.length === 0 ? problem(500, 'internal_error') : response;
    },
  },
  {
    name: 'calls the final export video',
    clause: 'assets.final',
    breakage: assets((asset) => ({ ...asset, type: asset.type === 'final_video' ? 'video' : asset.type })),
  },
  { name: 'calls the final video a picture', clause: 'assets.final', breakage: finalVideo({ mime_type: 'image/png' }) },
  {
    name: 'gives assets ids of another form',
    clause: 'assets.list',
    breakage: assets((asset) => ({ ...asset, id: 'file_1' })),
  },
  {
    name: 'gives other asset ids at each listing',
    clause: 'assets.stable',
    breakage: assets((asset) => ({ ...asset, id: `asset_${crypto.randomUUID()}` })),
  },
  {
    name: 'gives all assets one id',
    clause: 'assets.stable',
    breakage: assets((asset) => ({ ...asset, id: 'asset_1' })),
  },
  { name: 'lists assets without URL', clause: 'assets.list', breakage: assets(({ url: _, ...rest }) => rest) },
  {
    name: 'lists paths in place of URLs',
    clause: 'assets.list',
    breakage: assets((asset) => ({ ...asset, url: new URL(String(asset.url)).pathname })),
  },
  {
    name: 'lists assets without created_at',
    clause: 'assets.fields',
    breakage: assets(({ created_at: _, ...rest }) => rest),
  },
  {
    name: 'lists assets without mime_type',
    clause: 'assets.fields',
    breakage: assets(({ mime_type: _, ...rest }) => rest),
  },
  {
    name: 'lists the film without its size',
    clause: 'assets.fields',
    breakage: assets(({ width: _, ...rest }) => rest),
  },
  {
    name: 'lists the film without its length',
    clause: 'assets.fields',
    breakage: assets(({ duration_seconds: _, ...rest }) => rest),
  },
  { name: 'gives lengths as text', clause: 'assets.list', breakage: finalVideo({ duration_seconds: '5' }) },
  {
    name: 'says another length than the film has',
    clause: 'assets.length',
    breakage: finalVideo({ duration_seconds: 9 }),
  },
  {
    name: 'says another size than the film has',
    clause: 'assets.size',
    breakage: finalVideo({ width: 1920, height: 1080 }),
  },
  {
    name: 'says another size than the poster has',
    clause: 'assets.size',
    breakage: assets((asset) => (asset.type === 'poster' ? { ...asset, width: 4000 } : asset)),
  },
  {
    name: 'wants the API key at the download',
    clause: 'assets.download',
    breakage: () => async (request, next) =>
      request.url.includes('/files/') && !request.headers.has('authorization') ? problem(401) : next(request),
  },
  { name: 'has lost its files', clause: 'assets.download', breakage: files(() => problem(404, 'not_found')) },
  {
    name: 'sends empty files',
    clause: 'assets.download',
    breakage: files(({ headers }) => new Response('', { headers })),
  },
  {
    name: 'sends files as application/octet-stream',
    clause: 'assets.download',
    breakage: files(async (response) => {
      const headers = new Headers(response.headers);
      headers.set('content-type', 'application/octet-stream');
      return new Response(await response.arrayBuffer(), { headers });
    }),
  },
  {
    name: 'sends half of the film',
    clause: 'assets.film',
    breakage: film((bytes) => bytes.slice(0, bytes.length / 2)),
  },
  {
    name: 'sends noise for the film',
    clause: 'assets.film',
    breakage: film((bytes) => bytes.map((byte, index) => (byte * 31 + index) & 255)),
  },
  { name: 'makes 10 s of 5 s', clause: 'assets.length', breakage: makes({ duration_seconds: 10 }) },
  { name: 'makes every film upright', clause: 'assets.ratio', breakage: makes({ aspect_ratio: '9:16' }) },
  {
    name: 'answers lists as text/html',
    clause: 'assets.list',
    breakage: responses(
      'listAssets',
      (code) => code === 200,
      async (response) => {
        return new Response(await response.text(), { headers: { 'content-type': 'text/html' } });
      },
    ),
  },
];

function list(change: (assets: readonly Asset[]) => readonly Asset[]): () => Breakage {
  return answers('listAssets', (body) => ({ ...body, data: change(body.data as Asset[]) }));
}

function assets(change: (asset: Asset) => Asset): () => Breakage {
  return list((listed) => listed.map(change));
}

function finalVideo(fields: Asset): () => Breakage {
  return assets((asset) => (asset.type === 'final_video' ? { ...asset, ...fields } : asset));
}

function film(change: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>): () => Breakage {
  return files(async (response) => {
    const bytes = new Uint8Array(await response.arrayBuffer());
    const isFilm = response.headers.get('content-type')?.startsWith('video/') ?? false;
    const headers = { 'content-type': response.headers.get('content-type') ?? '' };
    return new Response(isFilm ? change(bytes) : bytes, { headers });
  });
}

/** Makes something else than it was asked for, and says that it did not. */
function makes(fields: Asset): () => Breakage {
  return () => {
    const asked = new Map<string, Asset>();
    return async (request, next, operation) => {
      if (operation === 'createMovie') {
        const text = await request.clone().text();
        const valid = text.endsWith('}');
        const body = valid ? JSON.stringify({ ...JSON.parse(text), ...overwritten(JSON.parse(text), fields) }) : text;
        const headers = new Headers(request.headers);
        headers.delete('content-length');
        const response = await next(new Request(request.url, { method: 'POST', headers, body }));
        if (!response.ok) return response;
        const movie = (await response.json()) as { id: string };
        asked.set(movie.id, JSON.parse(text));
        return Response.json(shownAs(movie, asked), { status: response.status, headers: response.headers });
      }
      const response = await next(request);
      if ((operation !== 'getMovie' && operation !== 'cancelMovie') || !response.ok) return response;
      return Response.json(shownAs((await response.json()) as { id: string }, asked));
    };
  };
}

/** Only what was valid: it is no mutant of the limits. */
function overwritten(body: Asset, fields: Asset): Asset {
  return body.duration_seconds === 5 && body.aspect_ratio === '16:9' ? fields : {};
}

function shownAs(movie: { readonly id: string }, asked: ReadonlyMap<string, Asset>): Asset {
  const { duration_seconds, aspect_ratio } = asked.get(movie.id) ?? {};
  return {
    ...movie,
    ...(duration_seconds !== undefined && { duration_seconds }),
    ...(aspect_ratio !== undefined && { aspect_ratio }),
  };
}
