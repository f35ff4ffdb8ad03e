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

/** A JSON Schema (draft 2020-12), as OpenAPI 3.1 uses. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

const MovieStatus = z.enum(movieStatuses);
const ErrorAnswer = z.strictObject(ErrorObject.shape).extend({ request_id: z.string().regex(/^req_[A-Za-z0-9]+$/) });
const Progress = z.strictObject({ percent: z.int().min(0).max(100), stage: MovieStatus });
const pixels = z.int().min(1).optional();

/** Enums that get a schema of their own, wherever they occur. */
const words = { AspectRatio, ReferenceRole, MovieStatus };

/**
 * What the studio itself answers: every field is present, none is unknown, and every enum value is one of the
 * interface. The contract's own schemas are looser, for services that have grown.
 */
const MovieAnswer = z.strictObject(Movie.shape).required().extend({
  status: MovieStatus,
  duration_seconds: MovieRequest.shape.duration_seconds.unwrap(),
  aspect_ratio: AspectRatio,
  progress: Progress,
  error: ErrorAnswer.nullable(),
});
const AssetAnswer = z
  .strictObject(Asset.shape)
  .required({ created_at: true, mime_type: true })
  .extend({ width: pixels, height: pixels });

const answers = {
  Movie: MovieAnswer,
  Progress,
  Reference: z
    .strictObject(Reference.shape)
    .required({ id: true, role: true, mime_type: true, created_at: true })
    .extend({ role: ReferenceRole, description: z.string().optional() }),
  Estimate: z.strictObject(Estimate.shape).required(),
  Asset: AssetAnswer,
  AssetList: z.strictObject({ data: z.array(AssetAnswer) }),
  ErrorObject: ErrorAnswer,
  Error: z.strictObject({ error: ErrorAnswer }),
  Event: z.strictObject({
    id: z.string().meta({ description: 'The same at each delivery of the event; also in the header webhook-id' }),
    type: z.enum(movieStatuses.map((status) => `movie.${status}` as const)),
    created_at: z.iso.datetime(),
    data: MovieAnswer,
  }),
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
  return { ...schemasOf({ ...words, ...requests }, 'input'), ...schemasOf({ ...words, ...answers }, 'output') };
}

function schemasOf(named: Readonly<Record<string, z.ZodType>>, io: 'input' | 'output'): Record<string, Schema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io,
    uri: (id) => `#/components/schemas/${id}`,
    override({ jsonSchema }) {
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern; // says the same at length
      for (const bound of ['minimum', 'maximum'] as const) {
        if (Math.abs(Number(jsonSchema[bound])) === Number.MAX_SAFE_INTEGER) delete jsonSchema[bound]; // no limit of ours
      }
      // The specification allows https only; an option of the studio also allows http on its own machine.
      if (jsonSchema.format === 'uri' && io === 'input') jsonSchema.pattern = '^https://';
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _, $id: _id, ...schema }]) => [name, schema as Schema]),
  );
}
