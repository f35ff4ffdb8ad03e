import { z } from 'zod';
import {
  AspectRatio,
  Asset,
  ErrorObject,
  Estimate,
  limits,
  Movie,
  MovieReferenceInput,
  MovieRequest,
  movieStatuses,
  Reference,
  ReferenceRole,
  text,
} from '../../api/contract.js';

/** A JSON Schema of the 2020-12 draft, as OpenAPI 3.1 has them. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

const ErrorAnswer = z.strictObject(ErrorObject.shape);

/**
 * What the studio itself answers: every field is there, none is unknown, and the words are those of the interface. The
 * contract's own schemas are looser, for services that have grown.
 */
const answers = {
  Movie: z
    .strictObject(Movie.shape)
    .required()
    .extend({
      status: z.enum(movieStatuses),
      aspect_ratio: AspectRatio,
      progress: z.strictObject({ percent: z.int().min(0).max(100), stage: z.enum(movieStatuses) }),
      error: ErrorAnswer.nullable(),
    }),
  Reference: z.strictObject(Reference.shape).required({ id: true, role: true, mime_type: true, created_at: true }),
  Estimate: z.strictObject(Estimate.shape).required(),
  AssetList: z.strictObject({
    data: z.array(z.strictObject(Asset.shape).required({ created_at: true, mime_type: true })),
  }),
  Error: z.strictObject({ error: ErrorAnswer }),
};

const requests = {
  MovieRequest,
  MovieReferenceInput,
  Upload: z.strictObject({
    file: z
      .string()
      .meta({ format: 'binary', description: 'Image, video, sound, PDF, DOCX or plain text, by its content' }),
    role: ReferenceRole.optional(),
    description: text({ max: limits.descriptionMax }).optional(),
  }),
};

export function componentSchemas(): Readonly<Record<string, Schema>> {
  return { ...schemasOf(requests, 'input'), ...schemasOf(answers, 'output') };
}

function schemasOf(named: Readonly<Record<string, z.ZodType>>, io: 'input' | 'output'): Record<string, Schema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io,
    uri: (id) => `#/components/schemas/${id}`,
    override({ jsonSchema }) {
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern; // says the same at length
      // The specification has https only; the studio allows more to callers of its own machine, by an option.
      if (jsonSchema.format === 'uri' && io === 'input') jsonSchema.pattern = '^https://';
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _, $id: _id, ...schema }]) => [name, schema as Schema]),
  );
}
