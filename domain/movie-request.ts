import type { AspectRatio, Brief, ReferenceRole } from './brief.js';

/** A movie as the interface asks for it: the body of an estimate, and of the create that follows it. */
export interface MovieOrder {
  readonly prompt: string;
  readonly duration_seconds: number;
  readonly aspect_ratio?: AspectRatio;
  readonly style?: string;
  readonly references?: { reference_id: string; role: ReferenceRole; description?: string }[];
  readonly webhook_url?: string;
}

export interface MovieOrderOptions {
  /** The service's `ref_` ids by the SHA-256 (hex) of the bytes that were uploaded. */
  readonly referenceIds: ReadonlyMap<string, string>;
  /** The deployment's address for events of the service; null where nobody listens. */
  readonly webhookUrl?: string | null;
}

/**
 * What is sent for a brief. The order of its fields is fixed, so that its JSON text is the same each time.
 *
 * @throws Error when a reference has no id at the service yet.
 */
export function movieOrder(brief: Brief, { referenceIds, webhookUrl = null }: MovieOrderOptions): MovieOrder {
  const references = brief.references.map(({ source, role, description }) => {
    const id = source.kind === 'id' ? source.referenceId : referenceIds.get(source.sha256 ?? '');
    if (id === undefined)
      throw new Error(`Cannot order movie "${brief.rowKey}": a reference of it is not uploaded yet`);
    return { reference_id: id, role, ...(description === null ? {} : { description }) };
  });
  return {
    prompt: brief.prompt,
    duration_seconds: brief.durationSeconds,
    ...(brief.aspectRatio === null ? {} : { aspect_ratio: brief.aspectRatio }),
    ...(brief.style === null ? {} : { style: brief.style }),
    ...(references.length === 0 ? {} : { references }),
    ...(webhookUrl === null ? {} : { webhook_url: webhookUrl }),
  };
}
