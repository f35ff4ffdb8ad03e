import type { CreateAnswer } from '../../../domain/answers/create-answer.js';
import type { Admission } from '../../../ledger/orders/admission.js';
import { movieId } from '../scene.js';

/** What happens to a send on its way: whether it arrives, and what is heard of it. */
export const fates = [
  'answered',
  'answer lost',
  'lost on its way',
  'not connected',
  '429',
  '400',
  '401',
  '409',
  'no id',
] as const;
export type Fate = (typeof fates)[number];

/** A service that replays keys and keeps its own books: what was really created. */
export interface PretendService {
  /** Movies by their key, as the service knows them. */
  readonly created: ReadonlyMap<string, string>;
  send(admission: Extract<Admission, { kind: 'send' }>, fate: Fate): CreateAnswer;
}

export function createPretendService(): PretendService {
  const created = new Map<string, string>();
  const create = (key: string) => {
    const known = created.get(key) ?? movieId();
    created.set(key, known);
    return known;
  };
  const refused = (status: number): CreateAnswer => ({
    ...{ kind: 'refused', status, code: 'word', message: 'words', retryAfterMs: null },
  });
  return {
    created,
    send({ idempotencyKey }, fate) {
      switch (fate) {
        case 'answered':
          return { kind: 'movie', movieId: create(idempotencyKey), echo: 'matches' };
        case 'answer lost':
          create(idempotencyKey);
          return { kind: 'lost' };
        case 'no id':
          create(idempotencyKey);
          return { kind: 'broken' };
        case 'lost on its way':
          return { kind: 'lost' };
        case 'not connected':
          return { kind: 'not_connected' };
        case '429':
        case '400':
        case '401':
        case '409':
          return refused(Number(fate));
        default:
          return fate satisfies never;
      }
    },
  };
}
