import { raw } from 'hono/html';
import type { PropsWithChildren } from 'hono/jsx';
import { assetPath } from '../assets/assets.js';
import { type Frame, FrameContext } from './frame.js';
import { A, Button, Icon, PostForm } from './link.js';
import { placesOf } from './places.js';

export interface PageProps {
  readonly frame: Frame;
  readonly title: string;
  /** The path of the place that this page belongs to. */
  readonly here?: string;
  /** Of which batch its parts are kept up to date, `*` for all; left out: none. */
  readonly live?: string;
  /** The path of a stylesheet for paper alone. */
  readonly printStyle?: string;
}

/** A page of the desk: the room around it, and what it shows. */
export function Page({ frame, title, here, live, printStyle, children }: PropsWithChildren<PageProps>) {
  return (
    <Document frame={frame} title={title} printStyle={printStyle} live={live !== undefined}>
      <body>
        <SkipLink />
        <Patterns />
        <div class="app">
          <Side frame={frame} here={here} />
          <main id="main" tabindex={-1} {...(live && { 'data-live': live })}>
            {children}
          </main>
        </div>
      </body>
    </Document>
  );
}

/** A page without the room around it: sign-in, refusals to strangers, shared links. */
export function GuestPage({
  frame,
  title,
  kind,
  children,
}: PropsWithChildren<Pick<PageProps, 'frame' | 'title'> & { readonly kind: 'door' | 'guest' }>) {
  return (
    <Document frame={frame} title={title}>
      <body class={kind}>
        <SkipLink />
        <Patterns />
        {children}
      </body>
    </Document>
  );
}

function Document({
  frame,
  title,
  printStyle,
  live = false,
  children,
}: PropsWithChildren<{ frame: Frame; title: string; printStyle?: string | undefined; live?: boolean }>) {
  const at = (path: string) => frame.basePath + path;
  return (
    <FrameContext.Provider value={frame}>
      {raw('<!doctype html>')}
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <title>{`${title} – Greenlight`}</title>
          <link rel="stylesheet" href={at(assetPath('desk.css'))} />
          {printStyle && <link rel="stylesheet" media="print" href={at(printStyle)} />}
          <link rel="icon" href={at(assetPath('icon.svg'))} />
          <script type="module" src={at(assetPath('desk.js'))} />
          {live && <script type="module" src={at(assetPath('live.js'))} />}
        </head>
        {children}
      </html>
    </FrameContext.Provider>
  );
}

function SkipLink() {
  return (
    <a class="skip" href="#main">
      Skip to content
    </a>
  );
}

/** Fills that are told apart without their colour. They have to stand in the page that uses them. */
function Patterns() {
  return (
    <svg class="defs" aria-hidden="true">
      <defs>
        <pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect class="hatch-back" width="5" height="5" />
          <rect class="hatch-line" width="2" height="5" />
        </pattern>
      </defs>
    </svg>
  );
}

export function Brand() {
  return (
    <A to="/" class="brand">
      <svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
        <rect class="mark-case" x="1" y="1" width="22" height="22" rx="7" />
        <circle class="mark-lamp" cx="12" cy="12" r="5.2" />
      </svg>
      Greenlight
    </A>
  );
}

function Side({ frame, here }: { readonly frame: Frame; readonly here?: string | undefined }) {
  const { actor, service } = frame;
  return (
    <header class="side">
      <Brand />
      <nav class="nav" aria-label="Main">
        <ul>
          {actor &&
            placesOf(actor).map(({ icon, text, path }) => (
              <li>
                <A to={path} current={path === here && 'page'}>
                  <Icon name={icon} />
                  {text}
                </A>
              </li>
            ))}
        </ul>
      </nav>
      <div class="me">
        <p class={service.rehearsal ? 'service rehearsal' : 'service'}>
          <Icon name="card" />
          <span>
            <b>{service.rehearsal ? 'Rehearsal' : 'Real orders'}</b>
            <span class="sub">{service.rehearsal ? 'studio, no real money' : service.name}</span>
          </span>
        </p>
        {actor && (
          <div class="who">
            <Icon name="person" />
            <span>
              <b>{actor.name}</b>
              <span class="sub">{actor.alone ? 'works alone' : actor.roles.join(', ')}</span>
            </span>
            <PostForm to="/sign-out">
              <Button kind="ghost" size="small">
                Sign out
              </Button>
            </PostForm>
          </div>
        )}
      </div>
    </header>
  );
}
