/**
 * What is known after one send of a create, as data. `not_connected` and `withheld` prove that no byte left this
 * machine; `lost` says that the movie may exist. Whoever decides what follows needs no more than this.
 */
export type CreateAnswer =
  | {
      readonly kind: 'movie';
      readonly movieId: string;
      /** `differs`: the answer of the service does not match the order, or in fields of the wrong type. */
      readonly echo: 'matches' | 'differs';
    }
  /** Accepted (202), without an id that could be followed. */
  | { readonly kind: 'broken' }
  | {
      readonly kind: 'refused';
      /** 400 to 499, without 408. */
      readonly status: number;
      /** The service's own word; null when the body was not its error object (a proxy's page). */
      readonly code: string | null;
      readonly message: string;
      readonly retryAfterMs: number | null;
    }
  | { readonly kind: 'not_connected' }
  /** Admitted, and held back before a byte of it left: a stop or a cancel came in between. */
  | { readonly kind: 'withheld'; readonly why: string }
  /** No answer, half an answer, or one that proves nothing (5xx, 408, a redirect). */
  | {
      readonly kind: 'lost';
      readonly retryAfterMs?: number | null;
      /** What was answered, where an answer came: it does not say what was done before it. */
      readonly answered?: { readonly status: number; readonly code: string | null; readonly message: string };
    };

/** What an order says and an answer may repeat. */
const echoedFields = ['prompt', 'duration_seconds', 'aspect_ratio'] as const;

export type EchoedFields = Readonly<Partial<Record<(typeof echoedFields)[number], unknown>>>;

/** Compares the fields that both sides carry; a field left out on either side says nothing. */
export function echoOf(sent: EchoedFields, answered: EchoedFields): 'matches' | 'differs' {
  const same = echoedFields.every((field) => {
    const [asked, told] = [sent[field], answered[field]];
    return asked === undefined || told === undefined || told === null || asked === told;
  });
  return same ? 'matches' : 'differs';
}
