// @ts-check
// A movie from its estimate to its file, through a client whose types are generated from the studio's document.
import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';

const [url = '', key = ''] = process.argv.slice(2);
/** @type {import('openapi-fetch').Client<import('./schema.js').paths>} */
const client = createClient({ baseUrl: url, headers: { Authorization: `Bearer ${key}` } });

/** @type {import('./schema.js').components['schemas']['MovieRequest']} */
const body = { prompt: 'A lighthouse at dusk. Gulls circle above it.', duration_seconds: 5, aspect_ratio: '1:1' };

const estimate = await client.POST('/movies/estimate', { body });
assert.equal(estimate.data?.currency, 'USD');
const header = { 'Idempotency-Key': 'order-of-typescript' };
const created = await client.POST('/movies', { body, params: { header } });
const movie_id = created.data?.id ?? '';
assert.equal((await client.POST('/movies', { body, params: { header } })).data?.id, movie_id);
const path = { movie_id };
assert.equal((await client.GET('/movies/{movie_id}', { params: { path } })).data?.status, 'completed');
assert.equal((await client.POST('/movies/{movie_id}/cancel', { params: { path } })).data?.error, null);
const assets = await client.GET('/movies/{movie_id}/assets', { params: { path } });
const video = assets.data?.data.find(({ type }) => type === 'final_video');
assert.equal((await fetch(video?.url ?? '')).headers.get('content-type'), video?.mime_type);
const missing = await client.GET('/movies/{movie_id}', { params: { path: { movie_id: 'movie_nobody' } } });
assert.equal(missing.error?.error.code, 'not_found');
const form = new FormData();
form.set('file', new Blob(['The boat is red.']), 'note.txt');
const upload = await client.POST('/references', {
  // The document says what a form has; how one is made is the platform's business.
  body: /** @type {any} */ ({}),
  bodySerializer: () => form,
});
assert.equal(upload.data?.mime_type, 'text/plain');
