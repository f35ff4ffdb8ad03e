import type { Context } from 'hono';
import type { Actor } from '../domain/roles.js';
import type { DeskDeps } from './desk-deps.js';
import type { KeptAnswer } from './errors/kept-answer.js';
import type { Form } from './guard/form.js';

/** What a request carries through the desk. */
export interface DeskEnv {
  readonly Variables: {
    deps: DeskDeps;
    /** Shown to people where something went wrong, and to whoever looks for it in the log. */
    requestId: string;
    /** Null before somebody has signed in. */
    signedIn: SignedIn | null;
    /** The fields of a form that this session's page sent; behind `requireForm` only. */
    form: Form;
    /** What the form was answered that led to this page; at its first look only. */
    kept?: KeptAnswer;
  };
}

export interface SignedIn {
  readonly actor: Actor;
  readonly sinceMs: number;
  /** When they proved who they are; null where it is not known. */
  readonly provedMs: number | null;
  /** What a form of theirs has to carry. */
  readonly formToken: string;
}

export type DeskContext = Context<DeskEnv>;

/** The person at the browser; behind `requireSignIn` only. */
export function actorOf(c: DeskContext): Actor {
  const signedIn = c.get('signedIn');
  if (signedIn) return signedIn.actor;
  throw new Error('Cannot serve this page: its route asks for nobody to sign in');
}

/** Sends the browser to another page of the desk, after a form did what it says. */
export function seeOther(c: DeskContext, path: string): Response {
  return c.redirect(`${c.get('deps').site.basePath}${path}`, 303);
}
