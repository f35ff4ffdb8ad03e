import { Hono } from 'hono';
import type { DeskEnv } from '../desk-env.js';
import { findAsset } from './assets.js';

/** Stylesheet, script, icons and font, and whether the desk is up: open to everybody. */
export function assetRoutes(): Hono<DeskEnv> {
  const routes = new Hono<DeskEnv>();
  routes.get('/healthz', (c) => c.text('up\n'));
  routes.get('/assets/:name', (c) => {
    const asset = findAsset(c.req.param('name'));
    if (!asset) return c.text('Cannot find this file: it belongs to another version; load the page again\n', 404);
    return c.body(new Uint8Array(asset.body), 200, {
      'Content-Type': asset.type,
      'Cache-Control': 'public, max-age=31536000, immutable',
    });
  });
  return routes;
}
