/** The ratios and roles of the interface (specification, Resources): the one list of each. */
export const aspectRatios = ['16:9', '9:16', '1:1', '4:5'] as const;
export type AspectRatio = (typeof aspectRatios)[number];

export const referenceRoles = ['character', 'product', 'location', 'style', 'audio', 'document', 'other'] as const;
export type ReferenceRole = (typeof referenceRoles)[number];

/** Where the bytes of a reference come from. `sha256` (hex) is null until a remote file has been fetched once. */
export type ReferenceSource =
  | { readonly kind: 'file'; readonly path: string; readonly sha256: string; readonly sizeBytes: number }
  | { readonly kind: 'url'; readonly url: string; readonly sha256: string | null }
  | { readonly kind: 'id'; readonly referenceId: string };

export interface BriefReference {
  readonly source: ReferenceSource;
  readonly role: ReferenceRole;
  readonly description: string | null;
}

/** One movie to make: what a manifest row says once its defaults are filled in. Names no place in a file. */
export interface Brief {
  /** The manifest's `id`, as text. Identity of the row in its lineage; never a position. */
  readonly rowKey: string;
  readonly prompt: string;
  readonly durationSeconds: number;
  /** Null when the sheet does not ask for one: the service chooses, and nothing is sent. */
  readonly aspectRatio: AspectRatio | null;
  readonly style: string | null;
  readonly references: readonly BriefReference[];
}

/** What documents of ours say of a brief beside its references. */
export function briefFields({ rowKey, prompt, durationSeconds, aspectRatio, style }: Omit<Brief, 'references'>) {
  return { id: rowKey, prompt, duration_seconds: durationSeconds, aspect_ratio: aspectRatio, style };
}
